import { getEventListeners } from 'node:events';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it, vi } from 'vitest';
import { pause } from './clock.ts';

function arrangement() {
  const clock = new ManualClock();
  const ending = new AbortController();
  const over = vi.fn();
  const paused = pause(1_000, clock, ending.signal).then(over);
  return { clock, ending, over, paused, listeners: () => getEventListeners(ending.signal, 'abort').length };
}

it('lasts as long as it is told, and leaves nothing on the signal', async () => {
  const { clock, over, paused, listeners } = arrangement();
  clock.advance(999);
  await Promise.resolve();
  expect([over.mock.calls.length, listeners()]).toEqual([0, 1]);
  clock.advance(1);
  await paused;
  expect(listeners()).toBe(0);
});

it('ends with the signal', async () => {
  const { ending, paused, listeners } = arrangement();
  ending.abort();
  await paused;
  expect(listeners()).toBe(0);
});

it('does not begin once the signal has come', async () => {
  await pause(1_000, new ManualClock(), AbortSignal.abort());
});
