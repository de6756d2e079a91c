import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { loadSteamUser } from './library/steam-user-loading.ts';
import { isLibraryLeak, leakFrames } from './library-leak.ts';

const require = createRequire(import.meta.url);
const helpers: { decodeJwt(token: string): unknown } = require('steam-user/components/helpers.js');

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('an error that nobody caught', () => {
  it("is the library's when it was thrown in there", () => {
    expect(isLibraryLeak(thrownBy(() => helpers.decodeJwt('a.b.c')))).toBe(true);
  });

  it("is the library's when it was thrown by code that the library wrote", async () => {
    const { messages } = await loadSteamUser();
    const type = messages['CMsgClientRequestEncryptedAppTicketResponse'];
    const answer = type?.encode({ encrypted_app_ticket: { encrypted_ticket: Buffer.alloc(64) } }).finish();
    const decode = (length?: number) => type?.decode(Buffer.from(answer ?? []).subarray(0, length));
    // The first message of a type has a frame more, of what writes the code.
    decode();
    const error = thrownBy(() => decode(40));
    expect(leakFrames(error)[1]).toContain('eval at');
    expect(isLibraryLeak(error)).toBe(true);
  });

  it("is the library's when a connection broke under it", () => {
    const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    error.stack =
      'Error: read ECONNRESET\n    at TLSWrap.onStreamRead (node:internal/stream_base_commons:216:20)';
    expect(isLibraryLeak(error)).toBe(true);
  });

  it.each([[new Error('ours')], ['a text'], [undefined], [{ code: 'ECONNRESET' }]])(
    'is ours when it is %s',
    (cause) => {
      expect(isLibraryLeak(cause)).toBe(false);
    },
  );
});

it('tells where it happened without the text, which may quote a token', () => {
  const error = thrownBy(() => helpers.decodeJwt('header.c2VjcmV0IHRva2Vu.signature'));
  const told = leakFrames(error).join('\n');
  expect(told).toContain('helpers.js');
  expect(String(error)).toContain('secret');
  expect(told).not.toContain('secret');
});
