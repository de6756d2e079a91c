import { expect, it } from 'vitest';
import { definitions } from './definitions.ts';

const rows = [
  ['A', 'What the first of these two words means, at some length'],
  ['A_LONGER_WORD', 'What the other one means'],
] as const;

it('puts each meaning on the line of its word where nobody says how wide the screen is', () => {
  expect(definitions(rows, undefined)).toBe(
    '  A              What the first of these two words means, at some length\n' +
      '  A_LONGER_WORD  What the other one means',
  );
});

it('wraps meanings beside their words', () => {
  expect(definitions(rows, 60).split('\n')).toEqual([
    '  A              What the first of these two words means, at',
    '                 some length',
    '  A_LONGER_WORD  What the other one means',
  ]);
});

it('puts meanings below their words on a narrow screen', () => {
  expect(definitions(rows, 40).split('\n')).toEqual([
    '  A',
    '      What the first of these two words',
    '      means, at some length',
    '  A_LONGER_WORD',
    '      What the other one means',
  ]);
});

it.each([40, 60, 80])('keeps within %d columns', (columns) => {
  for (const line of definitions(rows, columns).split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
});
