import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  humanText,
  lobbyVisibility,
  requestableVisibility,
  shallowFacts,
  timestamp,
  timestampOf,
} from './wire-values.ts';

it('is made in the form that it is read in', () => {
  const wallClock = fc.date({
    noInvalidDate: true,
    min: new Date('2000-01-01'),
    max: new Date('2999-12-31'),
  });
  fc.assert(
    fc.property(wallClock, (date) => {
      expect(new Date(timestamp.parse(timestampOf(date)))).toEqual(date);
    }),
  );
});

it('is public whatever a game may ask for', () => {
  expect(lobbyVisibility).toBe('public');
  expect(requestableVisibility.options).toEqual(['private', 'friends-only', 'public', 'invisible']);
});

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

const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

it('takes members of any form, up to what JSON can surely be written of again', () => {
  const facts = { a: [{ b: [null, 'c'] }], d: 7 };
  expect(shallowFacts.parse(facts)).toEqual(facts);
  expect(shallowFacts.safeParse(nested(32)).success).toBe(true);
  expect(shallowFacts.safeParse(nested(33)).success).toBe(false);
  expect(shallowFacts.safeParse(nested(100_000)).success).toBe(false);
});
