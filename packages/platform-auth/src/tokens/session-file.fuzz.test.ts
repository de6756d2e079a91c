import { damaged } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printSession, sessionFileName, sessionFormat } from './session-file.ts';

const savedAt = '2026-11-21T06:30:00.000Z';
const near = hostileJson(
  { version: 1, username: 'ann', refreshToken: 'eyJ.eyJ.sig', savedAt },
  { username: 'ann', refreshToken: 'eyJ.eyJ.sig' },
);
const text = fc.oneof(
  near,
  damaged(near.map((each) => Buffer.from(each))).map((bytes) => bytes.toString('utf8')),
);

it('a hostile session file is refused without a word of what it holds, or reads the same when printed', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(text, (given) => {
      const read = withstand(() => sessionFormat.read(given));
      if (read.kind === 'content') {
        const { username, token } = read.content;
        expect(sessionFileName(username)).toMatch(/^session-[A-Za-z0-9_%.-]{0,200}\.json$/);
        const again = sessionFormat.read(printSession(read.content, savedAt));
        expect(again.kind === 'content' && [again.content.username, again.content.token.reveal()]).toEqual([
          username,
          token.reveal(),
        ]);
      } else if (read.kind === 'newer') {
        expect(read.reason).toMatch(
          /^was written by a newer version .* \(format [-+\w.]+; this one reads up to 1\)$/,
        );
      }
    }),
    { numRuns: count({ small: 500, long: 100_000 }) },
  );
});
