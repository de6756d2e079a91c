import { expect, it } from 'vitest';
import { identitySpace, platformAccountRange } from './platform-account.ts';

it.each([
  [platformAccountRange.min, 'platform'],
  [platformAccountRange.max, 'platform'],
  [platformAccountRange.min - 1n, 'network'],
  [platformAccountRange.max + 1n, 'network'],
  [90071992547409920n, 'network'],
])('tells the id space of %s from its digits', (id, space) => {
  expect(identitySpace(id)).toBe(space);
});
