import { expect, it } from 'vitest';
import { gap, wrongsOf } from './told-once.ts';

it('has nothing against whoever was told each once and in order, or of a gap where some are missing', () => {
  expect(wrongsOf('Ann', [1, 2, 3], [1, 2, 3])).toEqual([]);
  expect(wrongsOf('Ann', [1, gap, 4], [1, 2, 3, 4])).toEqual([]);
  expect(wrongsOf('Ann', [1, 2, gap], [1, 2, 3])).toEqual([]);
});

it.each([
  ['missing', [1, 3], ['Ann was never told 2']],
  ['missing at the end', [gap, 1, 2], ['Ann was never told 3']],
  ['told twice', [1, 2, 2, 3], ['Ann was told 2 behind 2: twice, or out of order']],
  ['out of order', [2, 1, 3], ['Ann was told 1 behind 2: twice, or out of order']],
] as const)('names what is %s', (_what, told, wrongs) => {
  expect(wrongsOf('Ann', told, [1, 2, 3])).toEqual(wrongs);
});
