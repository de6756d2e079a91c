import { settledMs } from '@steward/service-kit/settled-time';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import type { BridgeState } from '../../src/game/state/bridge-state.ts';
import { Emptiness } from '../../src/status/emptiness.ts';

/** A service that starts on this clock, finds what was kept, and hears of a game. */
function started(clock: ManualClock, kept: { value: string | undefined }) {
  let follower = (_state: BridgeState) => {};
  const bridge = {
    state: told('starting', undefined),
    follow: (listener: typeof follower) => {
      follower = listener;
      return () => {};
    },
  };
  const samples = {
    emptySince: kept.value,
    keepEmptySince: (value: string) => {
      kept.value = value;
    },
  };
  const visits: Date[] = [];
  const emptiness = new Emptiness({ bridge, samples, clock, visited: () => visits.push(clock.date()) });
  emptiness.start();
  return {
    emptiness,
    visits,
    hears: (status: 'live' | 'lost', players: number | undefined, isWhole = true) =>
      follower(told(status, players, isWhole)),
  };
}

function told(status: string, players: number | undefined, isWhole = true): BridgeState {
  const sections = players === undefined ? {} : { status: { playerCount: players } };
  return { link: { status }, sections, isWhole } as unknown as BridgeState;
}

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

it('is known while a game tells that nobody is online, and since the last one went', () => {
  const clock = new ManualClock();
  const { emptiness, hears, visits } = started(clock, { value: undefined });
  expect(emptiness.since).toBeUndefined();
  hears('live', 0, false);
  expect(emptiness.since, 'a game that has not told everything').toBeUndefined();
  hears('live', 2);
  expect(emptiness.since).toBeUndefined();
  clock.advance(hourMs);
  hears('live', 0);
  const since = clock.date();
  clock.advance(hourMs);
  expect(emptiness.since).toEqual(since);
  expect(emptiness.since, 'the same object, for answers that lie ready').toBe(emptiness.since);
  expect(emptiness.seconds).toBe(3_600);
  hears('live', 1);
  expect(emptiness.seconds).toBe(0);
  hears('live', 2);
  expect(visits, 'each time that somebody comes after nobody was there').toHaveLength(2);
});

it('goes on over a game that is gone for a while, of which nothing is known', () => {
  const clock = new ManualClock();
  const { emptiness, hears } = started(clock, { value: undefined });
  hears('live', 0);
  const since = clock.date();
  clock.advance(hourMs);
  hears('lost', 0);
  expect(emptiness.since).toBeUndefined();
  hears('live', 0);
  expect(emptiness.since).toEqual(since);
});

it('goes on over a restart of this service, unless somebody was or is online', () => {
  const clock = new ManualClock();
  const kept: { value: string | undefined } = { value: undefined };
  started(clock, kept).hears('live', 0);
  const since = clock.date();
  clock.advance(hourMs);
  const second = started(clock, kept);
  second.hears('live', 0);
  expect(second.emptiness.since).toEqual(since);
  second.hears('live', 1);
  clock.advance(hourMs);
  const third = started(clock, kept);
  third.hears('live', 0);
  expect(third.emptiness.since, 'when the last one went nobody saw').toEqual(clock.date());
  clock.advance(hourMs);
  const fourth = started(clock, kept);
  fourth.hears('live', 1);
  fourth.hears('live', 0);
  expect(fourth.emptiness.since).toEqual(clock.date());
});

it('is never yet to come, also where a clock is set back or what was kept is no time', () => {
  const clock = new ManualClock();
  const kept = { value: 'soon' };
  const { emptiness, hears } = started(clock, kept);
  hears('live', 0);
  expect(emptiness.since).toEqual(clock.date());
  clock.setWallClock(-hourMs);
  expect(emptiness.since).toEqual(clock.date());
  expect(kept.value).toBe(clock.date().toISOString());
});

it('is what was kept once a clock is right that was far behind as the service started', () => {
  const clock = new ManualClock();
  const kept: { value: string | undefined } = { value: undefined };
  started(clock, kept).hears('live', 0);
  const since = clock.date();
  clock.setWallClock(-yearMs);
  const { emptiness, hears } = started(clock, kept);
  hears('live', 0);
  expect(emptiness.since).toEqual(clock.date());
  clock.setWallClock(yearMs);
  clock.advance(hourMs);
  expect(emptiness.since).toEqual(since);
  expect(kept.value).toBe(since.toISOString());
});

it('where nothing was kept is the time at which such a clock was set, once it has gone on for a while', () => {
  const clock = new ManualClock();
  const kept: { value: string | undefined } = { value: undefined };
  clock.setWallClock(-yearMs);
  const { emptiness, hears } = started(clock, kept);
  hears('live', 0);
  clock.setWallClock(yearMs);
  hears('live', 0);
  const set = clock.date();
  clock.advance(settledMs);
  expect(emptiness.since).toEqual(set);
  expect(kept.value).toBe(set.toISOString());
});

it('is not what a clock kept that was far ahead, once the one of now has gone on for a while', () => {
  const clock = new ManualClock();
  const ahead = new Date(clock.date().getTime() + yearMs).toISOString();
  const kept = { value: ahead };
  const { emptiness, hears } = started(clock, kept);
  hears('live', 0);
  const since = clock.date();
  expect([emptiness.since, kept.value]).toEqual([since, ahead]);
  clock.advance(settledMs);
  expect([emptiness.since, kept.value]).toEqual([since, since.toISOString()]);
});

it('goes on while the machine sleeps', () => {
  const clock = new ManualClock();
  const { emptiness, hears } = started(clock, { value: undefined });
  hears('live', 0);
  const since = clock.date();
  clock.advance(settledMs);
  hears('live', 0);
  clock.setWallClock(8 * hourMs);
  hears('live', 0);
  clock.advance(settledMs);
  expect(emptiness.since).toEqual(since);
});
