import { hostileJson } from '@steward/testing/hostile/json';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseExact, stringifyExact } from './json.ts';

const runs = { numRuns: count({ small: 500, long: 100_000 }) };
const text = hostileJson({ id: 1, list: [{ account: 2, name: 'x' }], text: 'y' }, [1, [2, [3]]]);

it('hostile text is refused as no JSON, or reads as JSON.parse reads it but for integers with more digits', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(text, (given) => {
      let read: unknown;
      try {
        read = withstand(() => parseExact(given));
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return;
      }
      expect(JSON.stringify(read, rounded)).toBe(JSON.stringify(JSON.parse(given)));
      // What was read is what is written: no digit is lost.
      const written = stringifyExact(read);
      expect(stringifyExact(parseExact(written))).toBe(written);
    }),
    runs,
  );
});

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
