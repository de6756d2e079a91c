import { expect, it } from 'vitest';
import { MachinePace } from './machine-pace.ts';

it('never makes a limit tighter than it is written', () => {
  using pace = new MachinePace(() => {});
  expect(pace.slowness).toBe(1);
  expect(pace.processorSlowness).toBe(1);
});

it('knows a slow machine from a fast one', () => {
  const rows = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id })));
  const turn = (rounds: number) => () => {
    for (let round = 0; round < rounds; round += 1) JSON.parse(rows);
  };
  using fast = new MachinePace(turn(20));
  using slow = new MachinePace(turn(200));
  expect(slow.slowness / fast.slowness).toBeGreaterThan(3);
  expect(slow.processorSlowness / fast.processorSlowness).toBeGreaterThan(3);
});
