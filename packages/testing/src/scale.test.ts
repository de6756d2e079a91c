import { expect, it } from 'vitest';
import { count, scale } from './scale.ts';

it('gives each run the count that was stated for it', () => {
  expect(count({ small: 3, long: 7 })).toBe(scale === 'small' ? 3 : 7);
});
