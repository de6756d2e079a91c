import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { Drained as DrainedFacts, Draining } from '@steward/shared/api/answers/drain';
import { type DrainPhase, type DrainWhen, drainLimits } from '@steward/shared/drain';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import type { GameBridge } from '../game/game-bridge.ts';
import type { CommandResult, Ending, Operation } from '../game/operations/operation.ts';
import { type CourseParts, DrainCourse, type Drained } from './course.ts';
import type { DrainFile, DrainOrder, WaitingDrain } from './drain-file.ts';
import { closedWords } from './words.ts';

/** It is a matter of minutes at least: whoever asked is told that it goes on. */
const answerMs = 1_000;
const minuteMs = 60_000;

export interface AskedDrain {
  readonly when: DrainWhen;
  readonly restart?: boolean;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly message?: string;
}

export interface DrainsParts extends CourseParts {
  readonly bridge: CourseParts['bridge'] & Pick<GameBridge, 'operations'>;
  readonly file: DrainFile;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

interface Standing {
  readonly order: DrainOrder;
  readonly startedAt: string;
  readonly operationId: string | undefined;
  phase: DrainPhase;
  until: string | undefined;
}

/** Why a drain is called off: it is no failure. */
class CalledOff extends Error {}

/** Sees players off, one drain at a time: who is in may finish, nobody new comes in, the game saves, and then it is stopped or restarted. */
export class Drains {
  readonly #parts: DrainsParts;
  /** Another object exactly when it is another. */
  #standing: Standing | undefined;
  #calling = new AbortController();
  #over: Promise<unknown> = Promise.resolve();
  #left: WaitingDrain | undefined;

  constructor(parts: DrainsParts) {
    this.#parts = parts;
  }

  get standing(): Draining | undefined {
    if (this.#standing === undefined) return undefined;
    const { order, startedAt, operationId, phase, until } = this.#standing;
    const { when, restart, message } = order;
    return {
      phase,
      when,
      restart,
      startedAt,
      ...(message === undefined ? {} : { message }),
      ...(until === undefined ? {} : { until }),
      ...(operationId === undefined ? {} : { operationId }),
    };
  }

  /** What somebody is told who would come in now; undefined where they may. */
  get closed(): string | undefined {
    return this.#standing && closedWords(this.#standing.order);
  }

  /** Takes up what an earlier process left waiting; of one that had begun to end nobody waits for the rest. */
  async load(): Promise<void> {
    const { file, bridge, log } = this.#parts;
    try {
      this.#left = await file.read();
    } catch (error) {
      log.warn({ err: error }, 'whether players were being seen off cannot be read: they come in');
    }
    const left = this.#left;
    if (left !== undefined) void this.#follow(left.order, left.operationId, left.startedAt).catch(() => {});
    this.#settle();
    void bridge;
  }

  start(asked: AskedDrain, idempotencyKey: string | undefined): Promise<CommandResult> {
    const { operations } = this.#parts.bridge;
    const request = { name: 'drain', asked };
    return operations.carryOut(
      { name: 'drain', request, idempotencyKey },
      async ({ id }, step) => this.#carryOut(orderOf(asked), id, step),
      { answerMs },
    );
  }

  /** Whatever the drain does: who would have had to leave stays, and a game that it has stopped comes back. */
  end(idempotencyKey: string | undefined): Promise<CommandResult> {
    const { operations } = this.#parts.bridge;
    const request = { name: 'endDrain' };
    return operations.carryOut({ name: 'endDrain', request, idempotencyKey }, async () => {
      const standing = this.#standing;
      if (standing === undefined)
        throw new Problem('drain-not-found', 'Nobody is being seen off, and no drain has stopped the game: GET /drain');
      const wasStopped = standing.phase === 'stopped';
      await this.#callOff('somebody has ended it');
      this.#parts.bridge.giveGameBack();
      return { state: 'applied', outcome: { outcome: 'applied', before: {}, after: { wasStopped } } };
    });
  }

  /** Before this service stops: as `now`, within so long, so that no day is lost that has the time. */
  async beforeStop(seconds: number): Promise<void> {
    if (seconds <= 0 || this.#standing?.phase === 'stopped') return;
    await this.#callOff('the service stops');
    const order: DrainOrder = { when: 'now', restart: true, minutes: 0, seconds };
    const limit = new AbortController();
    const course = new DrainCourse(this.#parts, { ...order, restart: false }, {
      phase: (phase, leftMs) => this.#isIn(phase, leftMs),
      signal: limit.signal,
      operationId: '',
    });
    this.#stand(order, undefined);
    const timer = this.#parts.clock.after(seconds * 1_000, () => limit.abort(new CalledOff('there is no more time')));
    await course.seeOff().catch((error) => this.#parts.log.warn({ err: error }, 'players were not all seen off in time'));
    timer.cancel();
  }

  /** Nothing goes on any more; one that waits is kept for the next process. */
  async stop(): Promise<void> {
    this.#calling.abort(new CalledOff('the service stops'));
    await this.#over.catch(() => {});
  }

  async #carryOut(order: DrainOrder, operationId: string, step: (phase: string) => Promise<void>): Promise<Ending> {
    if (this.#standing !== undefined)
      throw new Problem(
        'drain-under-way',
        this.#standing.phase === 'stopped'
          ? 'The game is stopped by a drain already: DELETE /drain starts it again'
          : 'Players are being seen off already: GET /drain says how far it is, DELETE /drain ends it',
      );
    const startedAt = timestampOf(this.#parts.clock.date());
    if (order.when !== 'now') await this.#parts.file.write({ order, operationId, startedAt });
    return this.#follow(order, operationId, startedAt, step);
  }

  async #follow(
    order: DrainOrder,
    operationId: string,
    startedAt: string,
    step: (phase: string) => Promise<void> = async () => {},
  ): Promise<Ending> {
    const { bridge, clock, file } = this.#parts;
    this.#calling = new AbortController();
    this.#stand(order, operationId, startedAt);
    const course = new DrainCourse(this.#parts, order, {
      phase: async (phase, leftMs) => {
        if (phase === 'leaving') await file.remove();
        await this.#isIn(phase, leftMs);
        await step(phase);
      },
      signal: this.#calling.signal,
      operationId,
    });
    const waited = clock.date().getTime() - Date.parse(startedAt);
    const running = course.run(Math.max(0, order.minutes * minuteMs - waited));
    this.#over = running;
    try {
      return this.#ended(order, await running);
    } catch (error) {
      this.#standing = undefined;
      if (!(error instanceof CalledOff)) {
        bridge.giveGameBack();
        await file.remove();
      }
      if (!(error instanceof CalledOff)) throw error;
      return { state: 'void', why: error.message };
    }
  }

  #ended(order: DrainOrder, drained: Drained): Ending {
    const { events } = this.#parts.bridge;
    const { restart } = order;
    if (restart) this.#standing = undefined;
    else void this.#isIn('stopped');
    events.append({ type: 'server.drained', data: { restart, ...drained } });
    const after: DrainedFacts = { ...drained };
    return { state: 'applied', outcome: { outcome: 'applied', before: {}, after } };
  }

  async #callOff(reason: string): Promise<void> {
    const { file, bridge } = this.#parts;
    if (this.#standing === undefined) return;
    this.#calling.abort(new CalledOff(reason));
    await this.#over.catch(() => {});
    await file.remove();
    this.#standing = undefined;
    bridge.events.append({ type: 'server.drainEnded', data: { reason } });
  }

  #stand(order: DrainOrder, operationId: string | undefined, startedAt = timestampOf(this.#parts.clock.date())): void {
    this.#standing = { order, operationId, startedAt, phase: 'waiting', until: undefined };
  }

  async #isIn(phase: DrainPhase, leftMs?: number): Promise<void> {
    const { clock, bridge, log } = this.#parts;
    if (this.#standing === undefined) return;
    const until = leftMs === undefined ? undefined : timestampOf(new Date(clock.date().getTime() + leftMs));
    this.#standing = { ...this.#standing, phase, until };
    const { when, restart, message } = this.#standing.order;
    log.info({ phase, when, restart, until }, `draining: ${phase}`);
    bridge.events.append({
      type: 'server.draining',
      data: { phase, when, restart, ...(message === undefined ? {} : { message }), ...(until === undefined ? {} : { until }) },
    });
  }

  #settle(): void {
    const settle = (left: Operation): Ending | undefined =>
      left.id === this.#left?.operationId
        ? undefined
        : { state: 'void', why: 'the control API was restarted: players come in again' };
    this.#parts.bridge.operations.decide(['drain'], settle);
  }
}

function orderOf({ when, restart = false, minutes, seconds, message }: AskedDrain): DrainOrder {
  return {
    when,
    restart,
    minutes: minutes ?? drainLimits.usualMinutes[when],
    seconds: seconds ?? drainLimits.usualSeconds,
    ...(message === undefined ? {} : { message }),
  };
}
