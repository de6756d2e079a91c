import { type Clock, settledWithin, type Timer } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { SettledTime } from '@steward/service-kit/settled-time';
import type { ScheduleFacts } from '@steward/shared/api/answers/schedules';
import type { RunOutcome, ScheduleActionName } from '@steward/shared/api/schedule-parameters';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { Problem } from '@steward/shared/problems/problem';
import type { CommandResult } from '../game/operations/operation.ts';
import type { Operations } from '../game/operations/operations.ts';
import type { Caller } from '../keys/caller.ts';
import type { KeptSchedules } from '../store/kept/schedules.ts';
import { meant, shown, type Which } from '../store/named.ts';
import { OwnChanges } from '../store/own-changes.ts';
import { scheduleTiming } from './due.ts';
import { failureIn, type Moment, Plan, shownRun, unknownIn } from './plan.ts';
import { Runner, type RunnerParts } from './runner.ts';
import { made, mayHave, type NewSchedule } from './schedule-changes.ts';

/** So long whoever asks for a run waits for its end. */
const answerMs = 20_000;
/** So long a service that stops waits for what has just ended to be written down. */
const lastWordsMs = 1_000;

/** A run that somebody asks for. After a kill nobody can tell how far it came: `lastRun` of the schedule says what is known. */
const asRun = {
  name: 'runSchedule',
  cutOff: {
    state: 'unknown',
    why: 'the control API was restarted while the schedule ran: its lastRun tells what is known',
    forGood: true,
  },
} as const;

export interface SchedulesParts extends RunnerParts {
  readonly kept: Pick<KeptSchedules, 'load' | 'unreadable' | 'change' | 'move'>;
  readonly operations: Pick<Operations, 'carryOut' | 'decide' | 'find' | 'follow'>;
  /** Why nothing may be done in the name of a key any more. */
  readonly whyEnded: (keyId: string) => string | undefined;
  readonly mayComeBack: (keyId: string) => boolean;
  readonly emptySince: () => Date | undefined;
  /** Throw the Problem that says why an action can never be done here. */
  readonly demands: Partial<Record<ScheduleActionName, () => void>>;
  readonly isGameStarting: () => boolean;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** For measurements: how one stands. */
export interface ScheduleStanding {
  readonly name: string;
  readonly isFailing: boolean;
  /** How late its last run began that was due. */
  readonly lagMs: number | undefined;
  readonly nextRun: number | undefined;
}

/** What is done by itself: at set times, or when nobody has been online for a while. */
export class Schedules {
  readonly #parts: SchedulesParts;
  readonly #changes: OwnChanges;
  readonly #runner: Runner;
  readonly #settled: SettledTime;
  readonly #plans = new Map<string, Plan>();
  #next: Timer | undefined;
  #isStarted = false;
  #startedAt = 0;
  #standsStill = false;

  constructor(parts: SchedulesParts) {
    this.#parts = parts;
    this.#runner = new Runner(parts);
    const { kept, operations, clock } = parts;
    this.#settled = new SettledTime(clock);
    const unreadable = () => kept.unreadable;
    const words = { things: 'Schedules', list: 'GET /schedules' };
    this.#changes = new OwnChanges({ ...words, unreadable, operations, clock });
  }

  /** To be called when the database is open. */
  load(): void {
    const { kept, operations, log } = this.#parts;
    for (const schedule of kept.load()) {
      const { id, action } = schedule;
      const unknown = unknownIn(schedule);
      if (unknown === undefined) this.#plans.set(id, new Plan(schedule));
      else log.warn({ id, action }, `${unknown}: its schedule is left out`);
    }
    operations.decide([asRun.name], () => asRun.cutOff);
    if (this.#isStarted) this.start();
  }

  /** Does what is due, and what becomes due. */
  start(): void {
    this.#isStarted = true;
    this.#startedAt = this.#parts.clock.now();
    for (const plan of this.#all) this.#runner.takeUp(plan);
    this.#look();
  }

  /** Nothing begins any more, and what is cut off now is for the next process. */
  stop(): void {
    this.#isStarted = false;
    this.#runner.stop();
    this.#next?.cancel();
  }

  /** Resolves when what has ended is written down; what runs on is taken for cut off by the next process. */
  async close(): Promise<void> {
    this.stop();
    const running = this.#all.map((plan) => plan.running);
    const ended = Promise.allSettled([...running, this.#changes.settled]);
    await settledWithin(ended, lastWordsMs, this.#parts.clock, () => new Error('it runs on')).catch(() => {});
  }

  /** Somebody has come: what waits for an empty farm waits for it anew, also where its clock was set back since it was done. */
  visited(): void {
    for (const plan of this.#all) this.#runner.waitAnew(plan);
  }

  list(): ScheduleFacts[] {
    this.#changes.readable();
    return this.#all.map((plan) => this.#factsOf(plan));
  }

  create(asked: NewSchedule, caller: Caller, idempotencyKey: string | undefined): Promise<CommandResult> {
    return this.#changes.make('createSchedule', asked, idempotencyKey, (now) => {
      const schedule = made(this.#all, asked, caller, now);
      this.#parts.demands[asked.action]?.();
      const plan = new Plan(schedule);
      return {
        outcome: this.#appliedTo(plan),
        keep: (operation) => this.#parts.kept.change([schedule], [], operation),
        done: () => {
          this.#plans.set(schedule.id, plan);
          this.#wait();
        },
      };
    });
  }

  remove(which: Which, caller: Caller, idempotencyKey: string | undefined): Promise<CommandResult> {
    return this.#changes.make('deleteSchedule', which, idempotencyKey, () => {
      const plan = meant('schedule', this.#all, which);
      mayHave(caller, plan.definition);
      const { id } = plan.definition;
      return {
        outcome: this.#appliedTo(plan),
        keep: (operation) => this.#parts.kept.change([], [id], operation),
        done: () => this.#plans.delete(id),
      };
    });
  }

  /** Runs it now, with the right of who made it; whoever asks for that has to have it as well. */
  async run(which: Which, caller: Caller, idempotencyKey: string | undefined): Promise<CommandResult> {
    const { name } = asRun;
    const asked = { name, request: { name, asked: which }, idempotencyKey };
    return await this.#parts.operations.carryOut(asked, async (_operation, step) => {
      this.#changes.readable();
      this.#toRun(which, caller);
      // So that a retry after a kill does not do it again.
      await step('running');
      // Meanwhile it may have become due, been asked for by others, or been deleted.
      const plan = this.#toRun(which, caller);
      const running = this.#runner.begin(plan, undefined);
      const tooLong = () => new Error('it runs on');
      // Where it runs on, that is what is told.
      const run =
        (await settledWithin(running, answerMs, this.#parts.clock, tooLong).catch(() => undefined)) ??
        plan.progress.run;
      return {
        state: 'applied',
        outcome: this.#appliedTo(plan, run === null ? {} : { run: shownRun(run) }),
      };
    });
  }

  /** How many runs ended how, since this process started. */
  get ended(): Readonly<Record<RunOutcome, number>> {
    return this.#runner.ended;
  }

  get standing(): readonly ScheduleStanding[] {
    return this.#all.map((plan) => {
      const { state, nextRun } = this.#factsOf(plan);
      const { run } = plan.progress;
      return {
        name: plan.definition.name,
        isFailing: state === 'off' || failureIn(run) !== undefined,
        lagMs: run?.dueAt === undefined ? undefined : Math.max(0, run.at - run.dueAt),
        nextRun: nextRun === undefined ? undefined : Date.parse(nextRun),
      };
    });
  }

  get #all(): readonly Plan[] {
    return [...this.#plans.values()];
  }

  get #moment(): Moment {
    const { clock, emptySince } = this.#parts;
    // First: of a clock that was set back it may become another.
    const since = emptySince()?.getTime();
    return { settledSince: this.#settled.since(), now: clock.date().getTime(), emptySince: since };
  }

  #factsOf(plan: Plan): ScheduleFacts {
    return plan.facts(this.#moment, this.#whyOff(plan));
  }

  #appliedTo(plan: Plan, more: object = {}): AppliedOutcome {
    return { outcome: 'applied', before: {}, after: { schedule: this.#factsOf(plan), ...more } };
  }

  #whyOff({ progress, definition: { keyId } }: Plan): string | undefined {
    return progress.off ?? (keyId === null ? undefined : this.#parts.whyEnded(keyId));
  }

  /** The schedule that is meant, where it may begin now. */
  #toRun(which: Which, caller: Caller): Plan {
    const plan = meant('schedule', this.#all, which);
    mayHave(caller, plan.definition);
    const name = shown(plan.definition.name);
    const off = this.#whyOff(plan);
    if (off !== undefined)
      throw new Problem(
        'schedule-off',
        `The schedule ${name} is off: ${off}. Delete it, and create it again`,
      );
    if (plan.running !== undefined)
      throw new Problem('schedule-running', `The schedule ${name} has been running since ${plan.ranSince}`);
    return plan;
  }

  /** Looks at the clock, and begins what is due by it. */
  #look(): void {
    if (!this.#isStarted) return;
    const moment = this.#moment;
    for (const plan of this.#all) this.#runner.readClock(plan, moment);
    const due = this.#all.filter((plan) => this.#isToBeMet(plan, moment));
    if (due.length > 0 && !this.#isUnreadable()) for (const plan of due) this.#meet(plan, moment);
    this.#wait();
  }

  /** Without the game, which starts with this service, most of what is due would fail: it waits, unless it would be missed over that. */
  #isToBeMet(plan: Plan, moment: Moment): boolean {
    const due = plan.due(moment);
    if (due.kind === 'waits') return false;
    const { clock, isGameStarting } = this.#parts;
    const { gameStartsMs, lookMs, lateMs } = scheduleTiming;
    if (!isGameStarting() || clock.now() - this.#startedAt >= gameStartsMs) return true;
    // Not at the last look before it: that may come late itself.
    return !plan.isDoneLate && moment.now + 2 * lookMs - due.dueAt > lateMs;
  }

  #meet(plan: Plan, moment: Moment): void {
    const due = plan.due(moment);
    // What is due beside a run that has not begun yet is due beside none, should the disk refuse that one.
    if (due.kind === 'waits' || plan.isBeginning) return;
    const off = this.#whyOff(plan);
    const { progress, definition } = plan;
    const first = (plan.isDoneLate ? undefined : due.missedAt) ?? due.dueAt;
    // What an end by a wrong clock has it not do now is met again.
    if (off !== undefined && progress.off === null && this.#parts.mayComeBack(definition.keyId ?? '')) return;
    if (off !== undefined) this.#runner.switchOff(plan, off);
    else if (plan.running !== undefined)
      this.#runner.overlapped(plan, first, `the previous run has been running since ${plan.ranSince}`);
    else if (due.kind === 'missed' && !plan.isDoneLate) this.#runner.missed(plan, due.dueAt);
    else
      this.#runner.begin(plan, due.dueAt, first).catch((err: unknown) => {
        const { id, name } = plan.definition;
        this.#parts.log.error({ err, id }, `an error in this service, with the schedule ${shown(name)}`);
      });
  }

  /** Says once that nothing is done, and once that it is done again. */
  #isUnreadable(): boolean {
    const { kept, log } = this.#parts;
    const { unreadable } = kept;
    if (unreadable !== undefined && !this.#standsStill)
      log.error({}, `no schedule runs, because its run could not be recorded: ${unreadable}`);
    if (unreadable === undefined && this.#standsStill) log.info({}, 'schedules run again');
    this.#standsStill = unreadable !== undefined;
    return this.#standsStill;
  }

  #wait(): void {
    this.#next?.cancel();
    if (!this.#isStarted || this.#plans.size === 0) return;
    const moment = this.#moment;
    const { lookMs } = scheduleTiming;
    const waits = this.#all.map((plan) => {
      const due = plan.due(moment);
      // What is still due could not begin.
      return due.kind === 'waits' && due.until !== undefined ? due.until - moment.now : lookMs;
    });
    this.#next = this.#parts.clock.after(Math.min(...waits, lookMs), () => this.#look());
  }
}
