import { clientMessage } from '@steward/shared/chat/client-messages';
import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMessage } from './read-message.ts';

const samples = clientMessage.options.flatMap(({ shape: { type } }) => [
  { type: type.value },
  {
    type: type.value,
    payload: { token: 'k', author: 'Robin', message: 'good morning', id: '1', cursor: 'k3f9x-41' },
  },
]);
const json = hostileJson(...samples).map((text) => Buffer.from(text));

/** The largest frame that a client may send is 64 KiB; what is wrong with it is told in no more than that. */
const longestAnswer = 64 * 1024;

it('hostile bytes are a message of the schema, or are refused with a code and words', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(fc.oneof(json, damaged(json), garbage()), fc.boolean(), (bytes, isBinary) => {
      const read = withstand(() => readMessage(bytes, isBinary));
      if (read.ok) {
        expect(clientMessage.safeParse(read.message).success).toBe(true);
        return;
      }
      expect(read.why).not.toBe('');
      expect(JSON.stringify(read).length).toBeLessThan(longestAnswer);
    }),
    { numRuns: count({ small: 500, long: 100_000 }) },
  );
});
