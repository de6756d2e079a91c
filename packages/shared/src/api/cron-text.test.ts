import { describe, expect, it } from 'vitest';
import { cronText } from './cron-text.ts';

it.each([
  ['0 5 * * *', '0 5 * * *'],
  ['*/15 0-23/2 1,15 jan-MAR mon,5-7', '*/15 0-23/2 1,15 JAN-MAR MON,5-7'],
  ['59 23 31 12 7', '59 23 31 12 7'],
  ['* * * * *', '* * * * *'],
])('%s is read', (text, value) => {
  expect(cronText.parse(text)).toEqual({ ok: true, value });
});

describe('what cannot be read is refused, with what is wrong about it', () => {
  it.each([
    ['', 'has 1 field, not 5 between single spaces'],
    ['@daily', 'has 1 field, not 5 between single spaces'],
    ['* * * *', 'has 4 fields, not 5 between single spaces'],
    ['0 0 5 * * *', 'has 6 fields, not 5 between single spaces'],
    ['0  5 * * *', 'has 6 fields, not 5 between single spaces'],
    ['0 5 * * *\n', 'has the weekday "*\\n", which cannot be read'],
    ['1,,2 * * * *', 'has the minute "", which cannot be read'],
    ['60 * * * *', 'has the minute 60, which is not from 0 to 59'],
    ['0 24 * * *', 'has the hour 24, which is not from 0 to 23'],
    ['0 0 0 * *', 'has the day 0, which is not from 1 to 31'],
    ['0 0 * foo *', 'has the month foo, which is not from 1 to 12, or JAN to DEC'],
    ['0 0 * * 8', 'has the weekday 8, which is not from 0 to 7, or SUN to SAT'],
    ['0 0 * * fri-mon', 'has the weekday fri-mon, a range that ends before it begins'],
    ['0 5-1 * * *', 'has the hour 5-1, a range that ends before it begins'],
    ['0/5 * * * *', 'has the minute 0/5: a step follows * or a range, as in 0-59/5'],
    ['*/0 * * * *', 'has the minute */0, whose step is not from 1 to 60'],
    ['*/61 * * * *', 'has the minute */61, whose step is not from 1 to 60'],
    ['0 0 * * */8', 'has the weekday */8, whose step is not from 1 to 7'],
    ['0 0 L * *', 'has the day "L", which cannot be read'],
    ['0 0 * * 5#3', 'has the weekday "5#3", which cannot be read'],
    [`${'0,'.repeat(100)}0 * * * *`, 'is too long'],
  ])('%j', (text, reason) => {
    expect(cronText.parse(text)).toEqual({ ok: false, reason });
  });
});
