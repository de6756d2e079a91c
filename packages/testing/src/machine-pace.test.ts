import { expect, it } from 'vitest';
import { MachinePace } from './machine-pace.ts';

it('never makes a limit tighter than it is written', () => {
  using pace = new MachinePace(() => {});
  expect(pace.slowness).toBeGreaterThanOrEqual(1);
  expect(pace.processorSlowness).toBeGreaterThanOrEqual(1);
});

it('tells how much longer a piece of work takes, in time that passes and in time of the processor', () => {
  const muchLongerMs = 20;
  using pace = new MachinePace(() => {
    const start = process.threadCpuUsage();
    let usedMs = 0;
    while (usedMs < muchLongerMs) {
      const { user, system } = process.threadCpuUsage(start);
      usedMs = (user + system) / 1_000;
    }
  });
  expect(pace.slowness).toBeGreaterThan(10);
  expect(pace.processorSlowness).toBeGreaterThan(10);
});
