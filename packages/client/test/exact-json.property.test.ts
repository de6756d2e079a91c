import { anyText } from '@steward/testing/hostile/text';
import { ownMs } from '@steward/testing/loop-delay';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact } from '../src/exact-json.ts';

const id = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -50n, max: 50n }),
  fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)),
);
const numRuns = count({ small: 500, long: 50_000 });

/** Texts in which a careless reader would see ids, quotes and ends. */
const text = fc.oneof(
  anyText(),
  fc.constantFrom(
    '"',
    '\\',
    '\\"',
    '620826087702429092',
    ':620826087702429092,',
    '","id":9007199254740993,"',
    '\n',
  ),
);

describe('an id in an answer', () => {
  it('is a bigint with every digit, however deep it lies and whatever stands around it', () => {
    const written = (one: bigint, before: string, behind: string) =>
      `{"before":${JSON.stringify(before)},"id":${one},"idStr":"${one}","behind":${JSON.stringify(behind)}}`;
    fc.assert(
      fc.property(id, id, text, text, (one, other, before, behind) => {
        const body = `{"list":[${written(one, before, behind)},{"deep":${written(other, behind, before)}}]}`;
        expect(parseExact(body)).toEqual({
          list: [
            { before, id: one, idStr: `${one}`, behind },
            { deep: { before: behind, id: other, idStr: `${other}`, behind: before } },
          ],
        });
      }),
      { numRuns },
    );
  });

  it('is one in a list of them, too', () => {
    fc.assert(
      fc.property(fc.array(id), (ids) => {
        const twins = ids.map(String);
        const body = `{"playerIds":[${ids.join()}],"playerIdStrs":${JSON.stringify(twins)}}`;
        expect(parseExact(body)).toEqual({ playerIds: ids, playerIdStrs: twins });
      }),
      { numRuns },
    );
  });

  it('without a twin is text rather than rounded', () => {
    expect(parseExact('{"id":620826087702429093}')).toEqual({ id: '620826087702429093' });
    expect(parseExact('[-9007199254740993, 9007199254740991]')).toEqual([
      '-9007199254740993',
      9_007_199_254_740_991,
    ]);
  });
});

it('whatever else is in JSON is read as ever', () => {
  fc.assert(
    fc.property(fc.json(), (body) => {
      expect(parseExact(body)).toEqual(JSON.parse(body, roundedAsText));
    }),
    { numRuns },
  );
  const numbers = [0.123_456_789_012_345_68, 1e300, -1.5e-7, 1_234_567_890_123_456];
  expect(parseExact(JSON.stringify(numbers))).toEqual(numbers);
  expect(parseExact('{"nameStr":"42","idStr":"7","otherStrs":["1"]}')).toEqual({
    nameStr: '42',
    idStr: '7',
    otherStrs: ['1'],
  });
});

/** What this engine can tell by itself of an integer that it rounded. */
function roundedAsText(_name: string, value: unknown, { source }: { source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
  return isRounded ? source : value;
}

it.each(['', '{"id":6208260877', '{"id":620826087702429092,"idStr":"62082', '<html>1234567890123456</html>'])(
  'what is cut off is no answer: %j',
  (body) => {
    expect(() => parseExact(body)).toThrow(SyntaxError);
  },
);

it('a long text that never ends takes no long time', () => {
  const began = ownMs();
  expect(() => parseExact(`{"a":"${'\\"1234567890123456'.repeat(200_000)}`)).toThrow(SyntaxError);
  expect(ownMs() - began).toBeLessThan(5_000);
});
