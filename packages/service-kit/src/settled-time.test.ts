import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { SettledTime, settledMs } from './settled-time.ts';

const hourMs = 60 * 60_000;

it('believes a clock that has gone as the other has for ten minutes, however seldom it is asked', () => {
  const clock = new ManualClock();
  const time = new SettledTime(clock);
  clock.advance(settledMs - 1);
  expect([time.isSettled(), time.now()]).toEqual([false, Number.NEGATIVE_INFINITY]);
  clock.advance(1);
  expect([time.isSettled(), time.now()]).toEqual([true, clock.date().getTime()]);
  clock.advance(30 * 24 * hourMs);
  expect(time.isSettled()).toBe(true);
});

it('tells since when a clock can be believed, by that clock, and nothing before it can', () => {
  const clock = new ManualClock();
  const time = new SettledTime(clock);
  const start = clock.date().getTime();
  clock.advance(settledMs + hourMs);
  expect(time.since()).toBe(start);
  clock.setWallClock(-5 * hourMs);
  const setAt = clock.date().getTime();
  expect(time.since()).toBeUndefined();
  clock.advance(settledMs);
  expect(time.since()).toBe(setAt);
});

it.each([
  ['forth', hourMs],
  ['back', -hourMs],
])('does not believe a clock that was set %s before it has gone on for ten minutes', (_, byMs) => {
  const clock = new ManualClock();
  const time = new SettledTime(clock);
  clock.advance(hourMs);
  clock.setWallClock(byMs);
  expect(time.isSettled()).toBe(false);
  clock.advance(settledMs - 1);
  expect(time.isSettled()).toBe(false);
  clock.advance(1);
  expect(time.isSettled()).toBe(true);
});

it('takes a clock that is put right by a little for one that goes on', () => {
  const clock = new ManualClock();
  const time = new SettledTime(clock);
  clock.advance(hourMs);
  clock.setWallClock(5_000);
  expect(time.isSettled()).toBe(true);
});
