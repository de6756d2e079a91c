import { withstand } from '@steward/testing/hostile/withstand';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact, readJson, stringifyExact } from './json.ts';

const anyId = fc.oneof(
  fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n),
  fc.constantFrom(620826087702429092n, 2n ** 53n),
);

describe('exact JSON', () => {
  it('writes a bigint as a bare integer with every digit', () => {
    expect(stringifyExact({ id: 620826087702429092n, list: [-1n] })).toBe(
      '{"id":620826087702429092,"list":[-1]}',
    );
  });

  it('reads every 64-bit integer back without losing a digit', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const { read } = parseExact(stringifyExact({ read: id })) as { read: number | bigint };
        expect(BigInt(read)).toBe(id);
      }),
    );
  });

  it('leaves a value without large integers as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(stringifyExact(value)).toBe(text);
        if (!/[0-9]{16}/.test(text)) expect(parseExact(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps large numbers that are no integers as numbers', () => {
    expect(parseExact('[1e300, 0.1, -2.5e17]')).toEqual([1e300, 0.1, -2.5e17]);
  });

  it('does not spend its time on millions of digits: no id has more than twenty', () => {
    const digits = '7'.repeat(8_000_000);
    expect(withstand(() => parseExact(`[${digits}, 18446744073709551615]`))).toEqual([
      Number.POSITIVE_INFINITY,
      18446744073709551615n,
    ]);
  });

  it('refuses what is nested deeper than can be read, as it refuses what is not JSON', () => {
    const levels = 200_000;
    expect(() => parseExact('['.repeat(levels) + ']'.repeat(levels))).toThrow(SyntaxError);
  });

  it('refuses what is not JSON', () => {
    expect(() => parseExact('{"id":}')).toThrow(SyntaxError);
  });
});

it('reads what is JSON', () => {
  expect(readJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(readJson('null')).toBeNull();
});

it.each(['', '{', 'undefined', '{"a":1}}', '\u0000'])('makes nothing of %j', (text) => {
  expect(readJson(text)).toBeUndefined();
});
