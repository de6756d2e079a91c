import { expect, it } from 'vitest';
import { shallowFacts } from './shallow.ts';

const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

it('takes members of any form, up to what JSON can surely be written of again', () => {
  const facts = { a: [{ b: [null, 'c'] }], d: 7 };
  expect(shallowFacts.parse(facts)).toEqual(facts);
  expect(shallowFacts.safeParse(nested(32)).success).toBe(true);
  expect(shallowFacts.safeParse(nested(33)).success).toBe(false);
  expect(shallowFacts.safeParse(nested(100_000)).success).toBe(false);
});
