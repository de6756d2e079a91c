import { getEventListeners } from 'node:events';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it, vi } from 'vitest';
import { Backoff, every, pause, settledWithin } from './clock.ts';

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
  const clock = { after: vi.fn() };
  await pause(1_000, clock, AbortSignal.abort());
  expect(clock.after).not.toHaveBeenCalled();
});

const late = () => new Error('too late');

it('gives what comes in time, and leaves no timer behind', async () => {
  const cancel = vi.fn();
  const clock = { after: () => ({ cancel }) };
  expect(await settledWithin(Promise.resolve(7), 1_000, clock, late)).toBe(7);
  await expect(settledWithin(Promise.reject(new Error('failed')), 1_000, clock, late)).rejects.toThrow(
    'failed',
  );
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(2));
});

it('gives up what takes too long, and drops what comes of it', async () => {
  const clock = new ManualClock();
  const { promise, reject } = Promise.withResolvers<void>();
  const waiting = settledWithin(promise, 1_000, clock, late);
  clock.advance(1_000);
  await expect(waiting).rejects.toThrow('too late');
  reject(new Error('nobody waits for this'));
});

it('does something again and again until it is ended, if need be by itself', () => {
  const clock = new ManualClock();
  const action = vi.fn();
  const end = every(clock, 1_000, action);
  clock.advance(3_500);
  expect(action).toHaveBeenCalledTimes(3);
  end();
  clock.advance(5_000);
  expect(action).toHaveBeenCalledTimes(3);

  const once = vi.fn(() => endOnce());
  const endOnce = every(clock, 1_000, once);
  clock.advance(5_000);
  expect(once).toHaveBeenCalledOnce();
});

it.each([0, 60_000])(
  'waits longer each time for what never goes well, where %s ms would be well',
  (steadyMs) => {
    const backoff = new Backoff({ firstMs: 1_000, factor: 2, longestMs: 5_000, steadyMs }, () => 0);
    const never = [0, 0, 0, 0].map((forMs) => backoff.pause(forMs));
    expect(never).toEqual([1_000, 2_000, 4_000, 5_000]);
    expect(backoff.pause(steadyMs + 1)).toBe(1_000);
  },
);
