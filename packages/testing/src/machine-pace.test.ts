import { expect, it } from 'vitest';
import { ownMs } from './loop-delay.ts';
import { MachinePace } from './machine-pace.ts';

it('never makes a limit tighter than it is written', () => {
  using pace = new MachinePace(() => {});
  expect(pace.slowness).toBeGreaterThanOrEqual(1);
  expect(pace.processorSlowness).toBeGreaterThanOrEqual(1);
});

it.each([1, 20])(
  'tells how much longer a piece of %i ms takes, in time that passes and in time of the processor',
  (pieceMs) => {
    using pace = new MachinePace(() => {
      for (const startMs = ownMs(); ownMs() - startMs < pieceMs; );
    });
    expect(pace.slowness).toBeGreaterThan(pieceMs);
    expect(pace.processorSlowness).toBeGreaterThan(pieceMs);
  },
);
