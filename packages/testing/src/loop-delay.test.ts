import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LoopDelay } from './loop-delay.ts';

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
  const workedMs = 7;
  let ownMs = 0;
  using delay = new LoopDelay(() => ownMs);
  await pause(5);
  ownMs += workedMs;
  block();
  await pause(5);
  expect(delay.percentileMs(100)).toBe(workedMs);
});
