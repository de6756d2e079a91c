import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitions, hangingLines, table, wordWrap } from './layout.ts';

const text = fc
  .array(
    fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('\n', 'https://s.team/q/1/12345678901234567890')),
  )
  .map((words) => words.join(' '));

it('keeps every word, in order and whole', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 80 }), (given, columns) => {
      const words = (lines: readonly string[]) => lines.flatMap((line) => line.split(' ')).filter(Boolean);
      expect(words(wordWrap(given, columns))).toEqual(words(given.split('\n')));
    }),
  );
});

it('makes no line longer than the columns, unless a single word is', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 80 }), (given, columns) => {
      for (const line of wordWrap(given, columns))
        expect(line.length <= columns || !line.trim().includes(' ')).toBe(true);
    }),
  );
});

it('leaves a command in one line, unless it is longer than that', () => {
  const words = 'what was fetched is kept. Run `platform-auth download` to go on';
  expect(wordWrap(words, 50)).toEqual(['what was fetched is kept. Run', '`platform-auth download` to go on']);
  expect(wordWrap(words, 20)).toEqual([
    'what was fetched is',
    'kept. Run',
    '`platform-auth',
    'download` to go on',
  ]);
});

describe('hanging lines', () => {
  it('leaves a line that fits as it is', () => {
    expect(hangingLines('Kept       205 files, 3.63 MB', 40)).toEqual(['Kept       205 files, 3.63 MB']);
  });

  it('sets in what does not fit, below an indented line still deeper', () => {
    expect(hangingLines('  *.xnb: 8 files, 211 kB. Texts and fonts of de-DE', 30)).toEqual([
      '  *.xnb: 8 files, 211 kB.',
      '    Texts and fonts of de-DE',
    ]);
  });
});

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

it('puts rows of cells into columns', () => {
  const rows = [
    ['NAME', 'SCOPES', 'ENDS'],
    ['status page', 'read', ''],
    ['Robin', 'read, chat', 'never'],
  ];
  expect(table(rows)).toBe(
    ['NAME         SCOPES      ENDS', 'status page  read', 'Robin        read, chat  never'].join('\n'),
  );
});
