import { Secret } from '@steward/service-kit/secret';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSessionFileName, printSession, sessionFileName, sessionFormat } from './session-file.ts';

const savedAt = '2026-11-21T06:30:00.000Z';

describe('the name of a session file', () => {
  it("is the account's where that can be a file name", () => {
    expect(sessionFileName('Ann_7-x.y')).toBe('session-Ann_7-x.y.json');
  });

  it('never leaves the directory, whatever the account is called', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom('../../etc/passwd', '..', '/', 'a/b', 'a\\b', 'a\0b'));
    fc.assert(
      fc.property(name, (username) => {
        const file = sessionFileName(username);
        expect(file).toMatch(/^session-[A-Za-z0-9_%.-]*\.json$/);
        expect(file.length).toBeLessThan(255);
        expect(isSessionFileName(file)).toBe(true);
      }),
    );
  });

  it('differs where short account names differ', () => {
    const short = fc.string({ maxLength: 20, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(short, short, (one, other) => {
        fc.pre(one !== other);
        expect(sessionFileName(one)).not.toBe(sessionFileName(other));
      }),
    );
  });
});

it('reads what it prints', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (username, token) => {
      const read = sessionFormat.read(printSession({ username, token: new Secret(token) }, savedAt));
      expect(
        read.kind === 'content' && { username: read.content.username, token: read.content.token.reveal() },
      ).toEqual({
        username,
        token,
      });
    }),
  );
});

it("reads a file of the existing server's sidecar, which has no version", () => {
  const read = sessionFormat.read('{"username":"ann","refreshToken":"t"}');
  expect(read.kind === 'content' && read.content.token.reveal()).toBe('t');
});

it.each([
  ['', 'corrupt'],
  ['{"username":"ann"', 'corrupt'],
  ['[]', 'corrupt'],
  ['{"version":2}', 'newer'],
])('says of %j that it is %s', (text, kind) => {
  expect(sessionFormat.read(text)).toMatchObject({ kind });
});
