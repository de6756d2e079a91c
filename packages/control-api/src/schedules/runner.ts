import { type Clock, settledWithin } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { type RunOutcome, scheduleActions } from '@steward/shared/api/schedule-parameters';
import type { KeptSchedules } from '../store/kept/schedules.ts';
import type { KeptRun } from '../store/tables/schedules.ts';
import { StoreError } from '../store/tables/store-error.ts';
import { doneToBy, type ShownTime, scheduleTiming } from './due.ts';
import { failureIn, type Plan } from './plan.ts';
import { carriedOut, type RunEnd, type RunningParts } from './running.ts';
import { type Telling, tellEnd, tellSkipped, tellSwitchedOff } from './telling.ts';

/** A disk that takes longer is as good as none. */
const claimMs = 10_000;

const cutOff = 'the service stopped during the run, and its outcome is unknown';

export interface RunnerParts extends Omit<RunningParts, 'log'>, Telling {
  readonly kept: Pick<KeptSchedules, 'move'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** Runs schedules, and writes down how far each has come. That a run has begun is on the disk before it does. */
export class Runner {
  /** How many runs ended how, since this process started. */
  readonly ended: Record<RunOutcome, number> = { applied: 0, failed: 0, unknown: 0, skipped: 0 };
  readonly #parts: RunnerParts;
  #isStopping = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** From here on what fails may have failed for the stop. */
  stop(): void {
    this.#isStopping = true;
  }

  /** What a clock said that was wrong counts no more, also for the next process. */
  readClock(plan: Plan, shown: ShownTime): void {
    const doneTo = doneToBy(shown, plan.progress);
    if (doneTo === plan.progress.doneTo) return;
    plan.progress = { ...plan.progress, doneTo };
    this.#keepLate(plan);
  }

  /** For the next time that nobody is online, whatever clock said when it was done last. */
  waitAnew(plan: Plan): void {
    const { progress, definition } = plan;
    if (!('emptyMinutes' in definition.trigger) || progress.doneTo <= this.#now) return;
    plan.progress = { ...progress, doneTo: this.#now };
    this.#keepLate(plan);
  }

  /** Resolves with how it ended; without a time when it was due somebody asked for it. What was missed from the first on is told. */
  begin(plan: Plan, dueAt: number | undefined, first = dueAt): Promise<KeptRun> {
    if (dueAt !== undefined && first !== undefined && first < dueAt) this.missed(plan, first, dueAt - 1);
    const running = this.#run(plan, dueAt).finally(() => {
      plan.running = undefined;
    });
    plan.running = running;
    return running;
  }

  /** One that is due while the one before still runs. */
  overlapped(plan: Plan, dueAt: number, reason: string): void {
    plan.again = undefined;
    plan.progress = { ...plan.progress, doneTo: this.#now };
    this.#skipped(plan, dueAt, reason);
  }

  /** One, and all that was due after it until then. */
  missed(plan: Plan, dueAt: number, doneTo = this.#now): void {
    const reason = 'it was missed: the service was off, the machine was asleep, or its clock was changed';
    const failedBefore = failureIn(plan.progress.run);
    const at = this.#now;
    const run = { at, dueAt, endedAt: at, outcome: 'skipped', reason, failedBefore } as const;
    plan.progress = { ...plan.progress, doneTo, run };
    this.#skipped(plan, dueAt, reason);
  }

  switchOff(plan: Plan, off: string): void {
    const { run } = plan.progress;
    // What was cut off was told as it was taken up, and is not done again: the next process has nothing to take up.
    const isCutOff = plan.again !== undefined && plan.running === undefined && run?.outcome === undefined;
    plan.again = undefined;
    const ended = { outcome: 'unknown', reason: cutOff, endedAt: this.#now } as const;
    plan.progress = { ...plan.progress, off, run: isCutOff && run !== null ? { ...run, ...ended } : run };
    this.#keepLate(plan);
    tellSwitchedOff(this.#parts, plan.definition, off);
  }

  /** What an earlier process was cut off from is due again where twice is as good as once, or told. */
  takeUp(plan: Plan): void {
    const { run, doneTo } = plan.progress;
    if (run === null || run.outcome !== undefined || plan.running !== undefined) return;
    const { trigger } = plan.definition;
    // What is too late by now is missed.
    const isWanted = plan.isDoneLate || this.#now - (run.dueAt ?? 0) <= scheduleTiming.lateMs;
    const isAgain = isWanted && isDoneAgain(plan, run);
    const reason = isAgain ? `${cutOff}: it runs again` : cutOff;
    const ended = { ...run, isAgain, outcome: 'unknown', reason, endedAt: this.#now } as const;
    this.#told(plan, ended);
    if (isAgain && 'cron' in trigger) {
      // On the disk it has begun until it begins again: a kill in between has it taken up once more.
      plan.again = run.dueAt;
      return;
    }
    plan.progress = { ...plan.progress, run: ended, doneTo: isAgain ? 0 : doneTo };
    this.#keepLate(plan);
  }

  async #run(plan: Plan, dueAt: number | undefined): Promise<KeptRun> {
    const { kept, clock } = this.#parts;
    const before = plan.progress;
    const at = this.#now;
    const isCutOff = plan.again !== undefined && plan.again === dueAt;
    const isAgain = isCutOff || (before.run?.isAgain === true && before.run.dueAt === dueAt);
    if (isCutOff) plan.again = undefined;
    const failedBefore = failureIn(before.run);
    const run: KeptRun = { at, dueAt, failedBefore, ...(isAgain ? { isAgain } : {}) };
    const isByTheClock = dueAt !== undefined && !isCutOff;
    plan.progress = { ...before, doneTo: isByTheClock ? at : before.doneTo, run };
    plan.isBeginning = true;
    try {
      const claim = kept.move(plan.definition.id, plan.progress, 'durable');
      const tooSlow = () => new StoreError('busy', `the disk did not store it within ${claimMs} ms`);
      await settledWithin(claim, claimMs, clock, tooSlow);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (isCutOff) plan.again = dueAt;
      return this.#notBegun(plan, before, run, error);
    } finally {
      plan.isBeginning = false;
    }
    const end = await carriedOut(plan.definition, this.#parts);
    return this.#end(plan, run, end);
  }

  /** Nothing is done that a kill could have done twice, or lost: it stays due, and is told once. */
  #notBegun(
    plan: Plan,
    { doneTo, run: last }: Plan['progress'],
    run: KeptRun,
    { message }: StoreError,
  ): KeptRun {
    const reason = `its start could not be recorded in STATE_DIR: ${message}`;
    const failed = { ...run, endedAt: this.#now, outcome: 'failed', reason } as const;
    plan.progress = { ...plan.progress, doneTo, run: failed };
    const wasTold = last?.dueAt !== undefined && last.dueAt === run.dueAt && last.outcome === 'failed';
    if (!wasTold) this.#told(plan, failed);
    return failed;
  }

  #end(plan: Plan, run: KeptRun, end: RunEnd): KeptRun {
    // On the disk it has begun: the next process takes it up, as after a kill.
    if (this.#isStopping && end.outcome !== 'applied' && isDoneAgain(plan, run)) return run;
    const ended = { ...run, ...end, endedAt: this.#now };
    plan.progress = { ...plan.progress, run: ended };
    this.#keepLate(plan);
    this.#told(plan, ended);
    return ended;
  }

  #told(plan: Plan, run: KeptRun): void {
    this.ended[run.outcome ?? 'unknown'] += 1;
    tellEnd(this.#parts, plan.definition, run);
  }

  #skipped(plan: Plan, dueAt: number, reason: string): void {
    this.#keepLate(plan);
    this.ended.skipped += 1;
    tellSkipped(this.#parts, plan.definition, dueAt, reason);
  }

  #keepLate({ definition: { id }, progress }: Plan): void {
    // Where the disk does not take it, the next process finds it as it was, as it would after a kill.
    this.#parts.kept.move(id, progress, 'late').catch(() => {});
  }

  get #now(): number {
    return this.#parts.clock.date().getTime();
  }
}

/** Where twice is as good as once. What cut it off a second time would do so for ever. */
function isDoneAgain({ definition: { action } }: Plan, { dueAt, isAgain }: KeptRun): boolean {
  return scheduleActions[action].cutOff === 'again' && dueAt !== undefined && isAgain !== true;
}
