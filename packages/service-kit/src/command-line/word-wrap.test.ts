import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hangingLines, wordWrap } from './word-wrap.ts';

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
