import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LoopDelay, ownMs } from './loop-delay.ts';

const blockedMs = 120;

function block(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);
}

it('tells of a turn that blocks the thread', async () => {
  using delay = new LoopDelay();
  await pause(5);
  block();
  await pause(5);
  expect(delay.percentileMs(100)).toBeGreaterThan(blockedMs - 1);
});

it('leaves out what others had the processor for', async () => {
  let waited = 0;
  using delay = new LoopDelay(() => ownMs() - waited);
  await pause(5);
  block();
  waited += blockedMs;
  await pause(5);
  expect(delay.percentileMs(100)).toBeLessThan(blockedMs);
});
