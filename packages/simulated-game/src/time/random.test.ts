import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Random } from './random.ts';

function draw(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random.fraction());
}

it('draws the same from the same seed, and something else from another', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (seed, other) => {
      expect(draw(new Random(seed), 20)).toEqual(draw(new Random(seed), 20));
      if (seed !== other) expect(draw(new Random(other), 20)).not.toEqual(draw(new Random(seed), 20));
    }),
  );
});

it('gives a fork a stream that its parent does not disturb', () => {
  const undisturbed = draw(new Random('seed').fork('robin'), 5);
  const parent = new Random('seed');
  draw(parent, 17);
  expect(draw(parent.fork('robin'), 5)).toEqual(undisturbed);
});

it('keeps integers within both bounds and reaches them', () => {
  const random = new Random('bounds');
  const seen = new Set(Array.from({ length: 200 }, () => random.integer(3, 6)));
  expect([...seen].sort()).toEqual([3, 4, 5, 6]);
});

it('spreads evenly enough to be played with', () => {
  const values = draw(new Random('even'), 10_000);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean).toBeGreaterThan(0.48);
  expect(mean).toBeLessThan(0.52);
});

it('fills all 64 bits', () => {
  const random = new Random('bits');
  const union = Array.from({ length: 100 }, () => random.bits64()).reduce((all, bits) => all | bits, 0n);
  expect(union).toBe(2n ** 64n - 1n);
});
