import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  identitySpace,
  int64Range,
  parseInt64,
  parseUint64,
  platformAccountRange,
  uint64Range,
} from './ids.ts';
import { int64Text, uint64Text } from './wire-values.ts';

const kinds = [
  { name: 'int64', parse: parseInt64, range: int64Range, text: int64Text },
  { name: 'uint64', parse: parseUint64, range: uint64Range, text: uint64Text },
];

describe.each(kinds)('$name', ({ parse, range, text }) => {
  it('reads back every value of its range exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(range.min, range.max), (value) => {
        expect(parse(value.toString())).toEqual({ ok: true, value });
        expect(text.parse(value.toString())).toBe(value.toString());
      }),
    );
  });

  it('reads both ends of its range and refuses the values beyond them', () => {
    for (const value of [range.min, range.max]) expect(parse(value.toString())).toEqual({ ok: true, value });
    for (const value of [range.min - 1n, range.max + 1n]) {
      expect(parse(value.toString()).ok).toBe(false);
      expect(text.safeParse(value.toString()).success).toBe(false);
    }
  });

  it('accepts nothing but digits, whatever the text', () => {
    fc.assert(
      fc.property(anyText(), (anything) => {
        const parsed = parse(anything);
        if (parsed.ok) expect(anything).toMatch(/^-?[0-9]+$/);
        else expect(parsed.reason).not.toBe('');
      }),
    );
  });

  it.each([
    ['', 'empty'],
    ['+5', 'decimal integer'],
    [' 5', 'decimal integer'],
    ['5 ', 'decimal integer'],
    ['5\n', 'decimal integer'],
    ['1e3', 'decimal integer'],
    ['0x10', 'decimal integer'],
    ['1.0', 'decimal integer'],
    ['1_000', 'decimal integer'],
    ['٣', 'decimal integer'],
    ['５', 'decimal integer'],
    ['-', 'decimal integer'],
    ['--1', 'decimal integer'],
    ['1'.repeat(41), 'longer than 40'],
  ])('refuses %j because it %s', (given, reason) => {
    expect(parse(given)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it('reads leading zeros and does not keep them, but holds wire text to the canonical form', () => {
    expect(parse('007')).toEqual({ ok: true, value: 7n });
    expect(text.safeParse('007').success).toBe(false);
  });
});

it('tells a negative unsigned id apart from one that is no integer', () => {
  expect(parseUint64('-1')).toEqual({ ok: false, reason: 'is negative' });
  expect(parseInt64('-1')).toEqual({ ok: true, value: -1n });
});

it('names the range in a refusal', () => {
  expect(parseInt64('9223372036854775808')).toEqual({
    ok: false,
    reason: 'is outside the signed 64-bit range -9223372036854775808 to 9223372036854775807',
  });
});

it.each([
  [platformAccountRange.min, 'platform'],
  [platformAccountRange.max, 'platform'],
  [platformAccountRange.min - 1n, 'network'],
  [platformAccountRange.max + 1n, 'network'],
  [90071992547409920n, 'network'],
])('tells the id space of %s from its digits', (id, space) => {
  expect(identitySpace(id)).toBe(space);
});
