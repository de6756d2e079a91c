import type { ScheduleProgress } from '../store/tables/schedules.ts';
import type { CronTimes } from './cron-times.ts';

const minuteMs = 60_000;

export const scheduleTiming = {
  /** How long nobody looks at the clock at the most: it may be set meanwhile, and a machine that slept tells nobody. */
  lookMs: 30_000,
  /** What is later was missed. More than the time between two looks, so that a clock that is set forth passes over nothing. */
  lateMs: 90_000,
  /** How long a game that starts with this service may take. */
  gameStartsMs: 180_000,
  /**
   * A clock that is set back by less comes to times again that have been: what was done then is not done twice. One that is set back by
   * more was wrong, as cron has it, and what it said counts no more: once it has gone on for a while, as the new time may be the wrong one.
   */
  wrongClockMs: 3 * 60 * minuteMs,
} as const;

/**
 * What a schedule has to do now: nothing before a time, or ever; what was due then, and what was due first of all that is too late
 * before it; or what was due and is too late.
 */
export type Due =
  | { readonly kind: 'waits'; readonly until: number | undefined }
  | { readonly kind: 'due' | 'missed'; readonly dueAt: number; readonly missedAt?: number };

/** What the wall clock shows, and since when it can be believed, if it can. */
export interface ShownTime {
  readonly now: number;
  readonly settledSince: number | undefined;
}

/** Up to when a schedule counts as done, by a clock that shows this. */
export function doneToBy(
  { now, settledSince }: ShownTime,
  { doneTo, run }: Pick<ScheduleProgress, 'doneTo' | 'run'>,
): number {
  if (doneTo - now > scheduleTiming.wrongClockMs) return settledSince ?? doneTo;
  // What was passed over by a clock that was ahead was not done: when its time comes it is due.
  return Math.min(doneTo, Math.max(now, passedOverFrom(run) - 1));
}

/** From when on nothing was done of what was due. */
function passedOverFrom(run: ScheduleProgress['run']): number {
  if (run === null) return 0;
  return run.outcome === 'skipped' && run.dueAt !== undefined ? run.dueAt : Number.POSITIVE_INFINITY;
}

export function dueByCron(times: Pick<CronTimes, 'nextAfter'>, doneTo: number, now: number): Due {
  const next = times.nextAfter(doneTo);
  if (next === undefined || next > now) return { kind: 'waits', until: next };
  const inTime = times.nextAfter(Math.max(doneTo, now - scheduleTiming.lateMs));
  if (inTime === undefined || inTime > now) return { kind: 'missed', dueAt: next };
  return { kind: 'due', dueAt: inTime, ...(next < inTime ? { missedAt: next } : {}) };
}

/** Once each time that nobody is online: of a farm that was empty before there was a schedule the time counts from then on. */
export function dueByEmptiness(
  { emptyMinutes, createdAt }: { readonly emptyMinutes: number; readonly createdAt: number },
  emptySince: number | undefined,
  doneTo: number,
  now: number,
): Due {
  if (emptySince === undefined || emptySince <= doneTo) return { kind: 'waits', until: undefined };
  // What was made by a clock that was ahead says nothing of this one.
  const since = createdAt > now ? emptySince : Math.max(emptySince, createdAt);
  const dueAt = since + emptyMinutes * minuteMs;
  return dueAt > now ? { kind: 'waits', until: dueAt } : { kind: 'due', dueAt };
}
