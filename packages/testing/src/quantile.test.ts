import { expect, it } from 'vitest';
import { median, quantile } from './quantile.ts';

it('a quantile is one of the values, and never one that flatters', () => {
  const values = [9, 1, 5, 3, 7];
  expect(quantile(values, 0)).toBe(1);
  expect(quantile(values, 0.5)).toBe(5);
  expect(quantile(values, 0.9)).toBe(9);
  expect(quantile(values, 1)).toBe(9);
  expect(quantile([], 0.5)).toBeNaN();
  expect(values).toEqual([9, 1, 5, 3, 7]);
});

it('a median lies between the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});
