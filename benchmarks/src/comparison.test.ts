import { describe, expect, it } from 'vitest';
import { interleave, ratios, spread } from './comparison.ts';

describe('a comparison', () => {
  it('measures each in turn, round after round', async () => {
    const order: string[] = [];
    const say = (name: string) => async () => order.push(name);
    expect(await interleave(2, { bare: say('bare'), ours: say('ours') })).toEqual({
      bare: [1, 3],
      ours: [2, 4],
    });
    expect(order).toEqual(['bare', 'ours', 'bare', 'ours']);
  });

  it('takes the ratio of what was measured in the same round', () => {
    expect(ratios({ figure: '', unit: '', ours: [1, 9], limit: [2, 3] })).toEqual([0.5, 3]);
    expect(ratios({ figure: '', unit: '', ours: [1, 9] })).toEqual([]);
  });
});

describe('the spread', () => {
  it('is the least and the greatest of few', () => {
    expect(spread([3, 1, 2])).toEqual([1, 3]);
    expect(spread([7, 1, 2, 3, 4, 5, 6])).toEqual([1, 7]);
  });

  it('of many leaves out what is far from the middle, on both sides alike', () => {
    const many = Array.from({ length: 101 }, (_, index) => index);
    const [least, most] = spread(many);
    expect(least + most).toBe(100);
    expect(least).toBe(40);
  });
});
