import type { ScheduleFacts, ScheduleRun } from '@steward/shared/api/answers/schedules';
import { scheduleActions, timeZone } from '@steward/shared/api/schedule-parameters';
import { timestampOf } from '@steward/shared/wire-values';
import type {
  KeptRun,
  KeptSchedule,
  ScheduleDefinition,
  ScheduleProgress,
} from '../store/tables/schedules.ts';
import { CronTimes } from './cron-times.ts';
import { type Due, doneToBy, dueByCron, dueByEmptiness, type ShownTime } from './due.ts';

/** What it is now: a time of day, and since when nobody is online. */
export interface Moment extends ShownTime {
  readonly emptySince: number | undefined;
}

/** One schedule: what it is, how far it has come, and what it has to do when. */
export class Plan {
  readonly definition: ScheduleDefinition;
  progress: ScheduleProgress;
  /** Of a run that has begun and not ended. */
  running: Promise<KeptRun> | undefined;
  /** Its run is being written down, and nobody knows yet whether it begins. */
  isBeginning = false;
  /** When a run was due that was cut off and is to be done again. */
  again: number | undefined;
  readonly #times: { nextAfter(instant: number): number | undefined } | undefined;

  constructor({ doneTo, off, run, ...definition }: KeptSchedule) {
    this.definition = definition;
    this.progress = { doneTo, off, run };
    const { trigger } = definition;
    if ('cron' in trigger) this.#times = remembering(new CronTimes(trigger.cron, trigger.timeZone));
  }

  due(moment: Moment): Due {
    const { now, emptySince } = moment;
    const { progress, definition } = this;
    if (progress.off !== null) return { kind: 'waits', until: undefined };
    if (this.again !== undefined) return { kind: 'due', dueAt: this.again };
    const doneTo = doneToBy(moment, progress);
    if (this.#times !== undefined) return dueByCron(this.#times, doneTo, now);
    const emptyMinutes = 'emptyMinutes' in definition.trigger ? definition.trigger.emptyMinutes : 0;
    return dueByEmptiness({ ...definition, emptyMinutes }, emptySince, doneTo, now);
  }

  /** Since when the run goes on that is under way. */
  get ranSince(): string {
    const { run } = this.progress;
    return run === null ? 'now' : timestampOf(run.at);
  }

  /** Whether what was missed is done late. */
  get isDoneLate(): boolean {
    const { trigger } = this.definition;
    return !('missed' in trigger) || trigger.missed === 'once';
  }

  facts(moment: Moment, off: string | undefined): ScheduleFacts {
    const { id, name, action, parameters, trigger, madeBy, createdAt } = this.definition;
    const { run } = this.progress;
    const due = off === undefined ? this.due(moment) : undefined;
    const next = due?.kind === 'waits' ? due.until : due?.dueAt;
    return {
      id,
      name,
      action,
      parameters: { ...parameters },
      ...trigger,
      madeBy,
      createdAt: timestampOf(createdAt),
      state: off === undefined ? 'active' : 'off',
      ...(off === undefined ? {} : { reason: off }),
      ...(next === undefined ? {} : { nextRun: timestampOf(next) }),
      ...(run === null ? {} : { lastRun: shownRun(run) }),
    };
  }
}

/** What of one that was kept there is not here: another version of this service, or another Node, may have known more. */
export function unknownIn({ action, trigger }: ScheduleDefinition): string | undefined {
  if (!Object.hasOwn(scheduleActions, action)) return `this version has no action ${action}`;
  if (!('timeZone' in trigger) || timeZone.parse(trigger.timeZone).ok) return undefined;
  return `this Node does not know the time zone ${trigger.timeZone}`;
}

/** Why the last run that ended was not done, or may not have been. A run that was missed after it, or is under way, does not change that. */
export function failureIn(run: KeptRun | null): string | undefined {
  if (run?.outcome === 'failed' || run?.outcome === 'unknown') return run.reason ?? run.outcome;
  return run?.outcome === 'applied' ? undefined : run?.failedBefore;
}

export function shownRun(run: KeptRun): ScheduleRun {
  const { at, dueAt, endedAt, outcome, operationId, failedBefore } = run;
  const isMissed = outcome === 'skipped' && failedBefore !== undefined;
  const reason = isMissed ? `${run.reason}; the last run: ${failedBefore}` : run.reason;
  return {
    at: timestampOf(at),
    ...(dueAt === undefined ? {} : { dueAt: timestampOf(dueAt) }),
    ...(endedAt === undefined ? {} : { endedAt: timestampOf(endedAt) }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(operationId === undefined ? {} : { operationId }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** It is asked for the same again and again, and has to go through a calendar each time. */
function remembering(times: CronTimes) {
  let last: { readonly after: number; readonly next: number | undefined } | undefined;
  return {
    nextAfter(instant: number): number | undefined {
      if (last?.after !== instant) last = { after: instant, next: times.nextAfter(instant) };
      return last.next;
    },
  };
}
