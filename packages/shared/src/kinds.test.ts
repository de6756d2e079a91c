import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { int64Range, uint64Range } from './ids.ts';
import { boolean, choice, digits, form, integer, type Kind, list, moment, visibleText } from './kinds.ts';
import { accepted, refused } from './parsed.ts';

const seasons = choice(['spring', 'summer']);
const fileName = form({ allowed: 'ASCII letters', pattern: /^[a-z]+$/, longest: 4 });
const seasonList = list({ allowed: 'seasons, separated by commas', item: seasons.parse });

const good: readonly (readonly [string, Kind<unknown>, string, unknown])[] = [
  ['a boolean', boolean, 'true', true],
  ['a boolean', boolean, 'false', false],
  ['an integer', integer({ min: -5, max: 5 }), '-5', -5],
  ['an integer', integer({ min: 0, max: 10 }), '007', 7],
  ['a choice', seasons, 'summer', 'summer'],
  ['visible text', visibleText({ longest: 3 }), 'Ännchen'.slice(0, 3), 'Änn'],
  ['a signed id', digits(int64Range), '-9223372036854775808', '-9223372036854775808'],
  ['an unsigned id', digits(uint64Range), '18446744073709551615', '18446744073709551615'],
  ['a time', moment, '2026-11-21T06:30:00Z', '2026-11-21T06:30:00.000Z'],
  ['a time', moment, '2024-02-29T23:59:59.5Z', '2024-02-29T23:59:59.500Z'],
  ['a time', moment, '2026-11-21T06:30:00.123456+00:00', '2026-11-21T06:30:00.123Z'],
  ['a time', moment, '2026-11-21T06:30:00-00:00', '2026-11-21T06:30:00.000Z'],
  ['a time', moment, '2026-12-31T23:59:59.999999999Z', '2026-12-31T23:59:59.999Z'],
  ['a form', fileName, 'abcd', 'abcd'],
  ['a list', seasonList, ' summer, spring,', ['summer', 'spring']],
  ['a list', seasonList, '', []],
];

it.each(good)('%s reads %j', (_what, kind, text, value) => {
  expect(kind.parse(text)).toEqual(accepted(value));
});

const bad: readonly (readonly [string, Kind<unknown>, string, string])[] = [
  ['a boolean', boolean, 'TRUE', 'is not one of them'],
  ['an integer', integer({ min: 0, max: 5 }), '6', 'is out of range'],
  ['an integer', integer({ min: 0, max: 5 }), '-1', 'is out of range'],
  ['an integer', integer({ min: 0, max: 5 }), '1e1', 'is not a decimal integer'],
  ['a choice', seasons, 'Summer', 'is not one of them'],
  ['visible text', visibleText({ longest: 3 }), 'four', 'is too long'],
  ['visible text', visibleText({ longest: 3 }), 'a\nb', 'has a control character'],
  ['visible text', visibleText({ longest: 3 }), '\u200b', 'has no visible character'],
  ['an unsigned id', digits(uint64Range), '-1', 'is negative'],
  ['a time', moment, '2026-11-21', 'has a different format'],
  ['a time', moment, '2026-11-21T06:30:00+01:00', 'has a different format'],
  // A `+` that a query carries as it is.
  ['a time', moment, '2026-11-21T06:30:00 00:00', 'has a different format'],
  ['a time', moment, '2026-11-21T06:30:00.1234567890Z', 'has a different format'],
  ['a time', moment, '2026-11-21T06:30:00+0000', 'has a different format'],
  ['a time', moment, '2026-11-21t06:30:00z', 'has a different format'],
  ['a time', moment, '2026-11-21T06:61:00Z', 'is not a real date'],
  ['a time', moment, '2026-02-30T06:30:00Z', 'is not a real date'],
  ['a time', moment, '2026-02-30T06:30:00.5+00:00', 'is not a real date'],
  ['a time', moment, '2026-11-21T24:00:00Z', 'is not a real date'],
  ['a form', fileName, 'abcde', 'is not that'],
  ['a form', fileName, 'ABC', 'is not that'],
  ['a list', seasonList, 'summer,autumn', 'is not one of them'],
];

it.each(bad)('%s refuses %j', (_what, kind, text, reason) => {
  expect(kind.parse(text)).toEqual(refused(reason));
});

describe('every kind', () => {
  const kinds = [...good, ...bad].map(([, kind]) => kind);

  it.each(kinds)('$allowed says of any text either its value or why there is none', (kind) => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const parsed = kind.parse(text);
        expect(parsed.ok || /^(is|has) /.test(parsed.reason)).toBe(true);
      }),
    );
  });
});
