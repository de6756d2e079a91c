import type { Clock } from '@steward/service-kit/clock';
import { timestampOf } from '@steward/shared/wire-values';
import { contentionLimits } from './contention.ts';
import type { FailureClass, PassingFailure } from './failure.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** How long the first wait of a class is, how far waits grow, and how much chance adds on top. */
interface Wait {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly jitter: number;
}

/**
 * A platform that says "too many" blocks for half an hour and extends the block on every attempt. A session that another
 * program took over is taken back once soon, so that another farm on this account learns of it too, and then ever later: it
 * would only be fought for. The wait is at least what stands here; jitter comes on top.
 */
export const waits: Readonly<Record<PassingFailure['class'], Wait>> = {
  transient: { firstMs: secondMs, longestMs: 5 * minuteMs, jitter: 1 },
  'rate-limited': { firstMs: 35 * minuteMs, longestMs: 120 * minuteMs, jitter: 0.2 },
  replaced: { firstMs: minuteMs, longestMs: 15 * minuteMs, jitter: 0.2 },
};

/** A session that lived this long was a good one: the next failure starts from the first wait. */
export const stableSessionMs = 2 * minuteMs;

/** Whoever took a session may just be waiting for its turn: only what outlives that was not taken again. */
export function stableMs(failureClass: FailureClass): number {
  return failureClass === 'replaced' ? contentionLimits.overAfterMs : stableSessionMs;
}

/** Failures in a row, all of one class: what one class has met says nothing about how long to wait for another. */
export interface FailuresInARow {
  readonly class: FailureClass | undefined;
  readonly count: number;
}

export const noFailures: FailuresInARow = { class: undefined, count: 0 };

export function withOneMore(row: FailuresInARow, failureClass: FailureClass): FailuresInARow {
  return { class: failureClass, count: row.class === failureClass ? row.count + 1 : 1 };
}

/** The wait after `failures` failures in a row; `random` is from 0 up to 1. */
export function waitMs(failureClass: keyof typeof waits, failures: number, random: number): number {
  const { firstMs, longestMs, jitter } = waits[failureClass];
  // Doubling more often than this is beyond every cap, and would overflow.
  const doublings = Math.min(Math.max(failures - 1, 0), 20);
  const base = Math.min(firstMs * 2 ** doublings, longestMs);
  return Math.round(base * (1 + jitter * random));
}

/** The end of a wait, by the clock that nobody sets, and by the wall clock as it was when the wait began. */
export interface WaitEnd {
  readonly untilMs: number;
  readonly plannedMs: number;
}

/** By more than this no two clocks differ that are read one after the other, unless one was set. */
const clockSetMs = 1_000;

/**
 * When it is tried again, for whoever reads the time of day: by the wall clock as it is now, which may have been set since. As
 * long as it was not, it is the same time at each look: one that moves by a millisecond would be news.
 */
export function retryTime({ untilMs, plannedMs }: WaitEnd, clock: Pick<Clock, 'now' | 'date'>): string {
  const byNowMs = clock.date().getTime() + untilMs - clock.now();
  return timestampOf(Math.abs(byNowMs - plannedMs) < clockSetMs ? plannedMs : byNowMs);
}
