import { expect, it } from 'vitest';
import { median, quantile } from './quantile.ts';

it('has so large a share of the values below it', () => {
  const values = [9, 1, 5, 3, 7];
  expect(median(values)).toBe(5);
  expect(quantile(values, 0)).toBe(1);
  expect(quantile(values, 1)).toBe(9);
  expect(quantile(values, 0.9)).toBeCloseTo(8.2);
  expect(values).toEqual([9, 1, 5, 3, 7]);
});

it('lies between two where none stands just there', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([6])).toBe(6);
  expect(median([])).toBeNaN();
});
