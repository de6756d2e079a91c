import fc from 'fast-check';
import { expect, it } from 'vitest';
import { humanText } from './human-text.ts';

it('leaves what is short enough as it is', () => {
  expect(humanText(5).parse('12345')).toBe('12345');
});

it('cuts what is longer, between two characters', () => {
  expect(humanText(5).parse('123456')).toBe('1234…');
  expect(humanText(3).parse('1😀😀')).toBe('1…');
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.integer({ min: 2, max: 30 }),
      (text, longest) => {
        const shown = humanText(longest).parse(text);
        expect(shown.length).toBeLessThanOrEqual(longest);
        expect(shown.isWellFormed()).toBe(true);
      },
    ),
  );
});

it('takes nothing but text', () => {
  expect(humanText(5).safeParse(7).success).toBe(false);
});
