import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { Draining } from '@steward/shared/api/answers/drain';
import type { DrainPhase } from '@steward/shared/drain';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import type { GameBridge } from '../game/game-bridge.ts';
import type { CommandResult, Ending } from '../game/operations/operation.ts';
import type { Carry } from '../game/operations/own-operations.ts';
import type { Objections } from '../game/questions/objections.ts';
import { type CourseParts, DrainCourse } from './course.ts';
import {
  type AskedDrain,
  type DrainFile,
  type DrainOrder,
  orderOf,
  type WaitingDrain,
} from './drain-file.ts';
import { closedWords } from './words.ts';

/** It is a matter of minutes: whoever asked is told that it goes on. */
const answerMs = 1_000;
const minuteMs = 60_000;

export interface DrainsParts extends CourseParts {
  readonly bridge: CourseParts['bridge'] & Pick<GameBridge, 'operations'>;
  readonly file: DrainFile;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

type Step = (phase: string) => Promise<void>;

/** Why a drain does not go on: that is no failure. */
class CalledOff extends Error {
  /** By the end of this process: where the game outlives that, it is for the next one to go on. */
  readonly isByStop: boolean;

  constructor(message: string, isByStop = false) {
    super(message);
    this.isByStop = isByStop;
  }
}

/**
 * Sees players off, one drain at a time: who is in may finish, nobody new comes in, the game saves, and then it is stopped or
 * restarted.
 */
export class Drains {
  readonly #parts: DrainsParts;
  #order: DrainOrder | undefined;
  #standing: Draining | undefined;
  #calling = new AbortController();
  /** Settled when what is under way is over. */
  #over: Promise<unknown> = Promise.resolve();
  /** The same of what can be called off; what a game is told then is not waited for where this process ends. */
  #seenOff: Promise<unknown> = Promise.resolve();
  #savedAt: Date | undefined;

  constructor(parts: DrainsParts) {
    this.#parts = parts;
    parts.bridge.events.follow(({ event: { type }, at }) => {
      if (type === 'farm.saved') this.#savedAt = at;
    });
  }

  /** Another object exactly when it is another. */
  get standing(): Draining | undefined {
    return this.#standing;
  }

  /** When the game saved last, as far as was heard since this service started. */
  get savedAt(): Date | undefined {
    return this.#savedAt;
  }

  /** Nobody new comes in while there is one. */
  readonly objections: Objections = {
    look: async () => () => {
      if (this.#order === undefined) return undefined;
      const message = closedWords(this.#order);
      return { code: 'draining', message, reason: message, remedy: 'DELETE /drain lets players in again' };
    },
  };

  /** Goes on with what an earlier process left waiting; whatever had begun to end is over with its process. */
  async load(): Promise<void> {
    const { file, bridge, log } = this.#parts;
    const left = await file.read().catch((error: unknown) => {
      log.warn({ err: error }, 'whether players were being seen off cannot be read: they come in');
      return undefined;
    });
    bridge.operations.decide(['drain', 'endDrain'], ({ id }) =>
      id === left?.operationId ? undefined : over('the control API was restarted: players come in again'),
    );
    if (left !== undefined) void this.#goOn(left);
  }

  start(asked: AskedDrain, idempotencyKey: string | undefined): Promise<CommandResult> {
    const { bridge, clock, file } = this.#parts;
    const carry: Carry = async ({ id: operationId }, step) => {
      this.#refuseSecond();
      const order = orderOf(asked);
      const startedAt = timestampOf(clock.date());
      // Before anything is awaited: nobody else begins one meanwhile.
      this.#stand(order, startedAt, operationId);
      if (order.when !== 'now') await file.write({ order, operationId, startedAt });
      return this.#follow(order, operationId, order.minutes * minuteMs, step);
    };
    return bridge.operations.carryOut(
      { name: 'drain', request: { name: 'drain', asked }, idempotencyKey },
      carry,
      { answerMs },
    );
  }

  /** Whatever it does: who would have had to leave stays, and a game that it has stopped comes back. */
  end(idempotencyKey: string | undefined): Promise<CommandResult> {
    const { bridge } = this.#parts;
    const asked = { name: 'endDrain', request: { name: 'endDrain' }, idempotencyKey } as const;
    return bridge.operations.carryOut(asked, async () => {
      if (this.#standing === undefined)
        throw new Problem('drain-not-found', 'Nobody is being seen off, and no drain has stopped the game');
      const wasStopped = this.#standing.phase === 'stopped';
      await this.#callOff(new CalledOff('somebody has ended it: players come in again'));
      bridge.giveGameBack();
      return { state: 'applied', outcome: { outcome: 'applied', before: {}, after: { wasStopped } } };
    });
  }

  /**
   * Sees players off as a drain does, and does the work while nobody comes in; then everybody may, however it ended. Until the work
   * begins it can be called off as a drain is.
   */
  async closedWhile<Result>(
    asked: AskedDrain,
    operationId: string,
    step: Step,
    work: (isSaved: boolean) => Promise<Result>,
  ): Promise<Result> {
    this.#refuseSecond();
    const { bridge, clock } = this.#parts;
    const order = orderOf({ ...asked, restart: true });
    this.#stand(order, timestampOf(clock.date()), operationId);
    const { course, calling } = this.#course(order, operationId, step);
    const seenOff = course.seeOff(order.minutes * minuteMs);
    this.#seenOff = seenOff.catch(() => {});
    const running = seenOff.then((isSaved) => {
      calling.signal.throwIfAborted();
      return work(isSaved);
    });
    this.#over = running.catch(() => {});
    try {
      return await running;
    } catch (error) {
      if (error instanceof CalledOff) throw new Problem('command-void', error.message);
      throw error;
    } finally {
      this.#stand(undefined);
      if (!calling.signal.aborted)
        bridge.events.append({ type: 'server.drainEnded', data: { reason: 'players come in again' } });
    }
  }

  /** Before this service stops: as `now`, in so many seconds at the most, so that no day is lost that has the time. */
  async beforeStop(seconds: number): Promise<void> {
    const { clock, log } = this.#parts;
    if (seconds <= 0 || this.#standing?.phase === 'stopped') return;
    await this.#callOff(new CalledOff('the service stops', true));
    // The other half is for who is slow to leave, and for the save.
    const order: DrainOrder = { when: 'now', restart: false, minutes: 0, seconds: Math.floor(seconds / 2) };
    const limit = new AbortController();
    const timer = clock.after(seconds * 1_000, () => limit.abort(new CalledOff('there was no more time')));
    this.#stand(order, timestampOf(clock.date()), undefined);
    const phase = async (now: DrainPhase, leftMs?: number) => this.#isIn(now, leftMs);
    const course = new DrainCourse(this.#parts, order, {
      phase,
      signal: limit.signal,
      operationId: undefined,
    });
    const isSaved = await course.seeOff(0).catch((error: unknown) => {
      log.warn({ err: error }, 'not everybody could be seen off before the service stops');
      return false;
    });
    timer.cancel();
    log.info({ isSaved }, 'players were seen off');
  }

  /** Nothing goes on any more. */
  async stop(): Promise<void> {
    await this.#callOff(new CalledOff('the service stops', true));
  }

  async #goOn({ order, operationId, startedAt }: WaitingDrain): Promise<void> {
    const { bridge, clock, log } = this.#parts;
    this.#stand(order, startedAt, operationId);
    const waitedMs = clock.date().getTime() - Date.parse(startedAt);
    const leftMs = Math.min(order.minutes * minuteMs, Math.max(0, order.minutes * minuteMs - waitedMs));
    const ending = await this.#follow(order, operationId, leftMs).catch((error: unknown) => {
      log.warn({ err: error }, 'players cannot be seen off');
      return over(error instanceof Error ? error.message : String(error));
    });
    bridge.operations.decide(['drain'], ({ id }) => (id === operationId ? ending : undefined));
  }

  async #follow(
    order: DrainOrder,
    operationId: string,
    waitMs: number,
    step: Step = async () => {},
  ): Promise<Ending> {
    const { bridge, file } = this.#parts;
    const { course } = this.#course(order, operationId, step);
    const running = course.run(waitMs);
    this.#over = running.catch(() => {});
    this.#seenOff = this.#over;
    try {
      const drained = await running;
      if (order.restart) this.#stand(undefined);
      else this.#isIn('stopped');
      bridge.events.append({ type: 'server.drained', data: { restart: order.restart, ...drained } });
      return { state: 'applied', outcome: { outcome: 'applied', before: {}, after: { ...drained } } };
    } catch (error) {
      this.#stand(undefined);
      if (error instanceof CalledOff)
        return error.isByStop && !bridge.startsGame ? goesOn : over(error.message);
      bridge.giveGameBack();
      await file.remove();
      throw error;
    }
  }

  #course(order: DrainOrder, operationId: string, step: Step) {
    const calling = new AbortController();
    this.#calling = calling;
    const phase = async (now: DrainPhase, leftMs?: number) => {
      // From here on it ends with this process.
      if (now === 'leaving') await this.#parts.file.remove();
      this.#isIn(now, leftMs);
      void step(now);
    };
    const course = new DrainCourse(this.#parts, order, { phase, signal: calling.signal, operationId });
    return { course, calling };
  }

  async #callOff(why: CalledOff): Promise<void> {
    const { bridge, file } = this.#parts;
    if (this.#standing === undefined) return;
    this.#calling.abort(why);
    await (why.isByStop ? this.#seenOff : this.#over);
    this.#stand(undefined);
    // A game that goes on without this service is still to be seen off by the next.
    if (!why.isByStop || bridge.startsGame) await file.remove();
    bridge.events.append({ type: 'server.drainEnded', data: { reason: why.message } });
  }

  #refuseSecond(): void {
    const { selfHosted } = this.#parts.bridge.state;
    if (selfHosted !== undefined)
      throw new Problem(
        'not-supported-by-game',
        `${selfHosted.name} is stopped and started by whoever runs it: nobody is seen off from here`,
      );
    if (this.#standing === undefined) return;
    throw new Problem(
      'drain-under-way',
      this.#standing.phase === 'stopped'
        ? 'The game is stopped by a drain already: DELETE /drain starts it again'
        : 'Players are being seen off already: GET /drain says how far that is, and DELETE /drain ends it',
    );
  }

  #stand(order: DrainOrder, startedAt: string, operationId: string | undefined): void;
  #stand(order: undefined): void;
  #stand(order: DrainOrder | undefined, startedAt = '', operationId?: string): void {
    this.#order = order;
    this.#standing = order && {
      phase: 'waiting',
      when: order.when,
      restart: order.restart,
      startedAt,
      ...(order.message === undefined ? {} : { message: order.message }),
      ...(operationId === undefined ? {} : { operationId }),
    };
  }

  #isIn(phase: DrainPhase, leftMs?: number): void {
    const { clock, bridge, log } = this.#parts;
    if (this.#standing === undefined) return;
    const { until: _before, ...standing } = this.#standing;
    const until =
      leftMs === undefined ? {} : { until: timestampOf(new Date(clock.date().getTime() + leftMs)) };
    this.#standing = { ...standing, phase, ...until };
    const { when, restart, message } = standing;
    const told = { phase, when, restart, ...(message === undefined ? {} : { message }), ...until };
    log.info(told, `players are seen off: ${phase}`);
    bridge.events.append({ type: 'server.draining', data: told });
  }
}

const goesOn: Ending = { state: 'unknown', why: 'the service was stopped; the next one goes on with it' };

function over(why: string): Ending {
  return { state: 'void', why };
}
