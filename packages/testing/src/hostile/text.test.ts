import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from './text.ts';

const seeded = { seed: 1, numRuns: 2_000 };

test('a text of any characters holds no half of one, and is as long as it may be', () => {
  fc.assert(
    fc.property(anyText({ minLength: 2, maxLength: 5 }), (text) => {
      expect(text.isWellFormed()).toBe(true);
      expect([...text].length).toBeGreaterThanOrEqual(2);
      expect([...text].length).toBeLessThanOrEqual(5);
    }),
    seeded,
  );
});

test('characters come from every end of what there is', () => {
  const characters = fc.sample(anyText({ minLength: 1, maxLength: 1 }), seeded);
  const codes = characters.map((character) => character.codePointAt(0) ?? Number.NaN);
  expect(codes).toContain(0);
  expect(codes).toContain(0x10ffff);
  expect(codes.some((code) => code < 0xd800)).toBe(true);
  expect(codes.some((code) => code > 0xffff)).toBe(true);
});

test('names that every object has are among the texts', () => {
  expect(fc.sample(anyText(), { seed: 1, numRuns: 20_000 })).toContain('__proto__');
});

test('what fails comes back as the shortest text that fails', () => {
  const found = fc.check(
    fc.property(anyText(), (text) => [...text].length < 3),
    seeded,
  );
  expect(found.counterexample).toEqual(['\0\0\0']);
});
