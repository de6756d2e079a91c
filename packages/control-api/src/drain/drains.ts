import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import type { Draining } from '@steward/shared/api/answers/drain';
import type { DrainPhase } from '@steward/shared/drain';
import { Problem } from '@steward/shared/problems/problem';
import { shuttingDown } from '@steward/shared/problems/shutting-down';
import { timestampOf } from '@steward/shared/wire-values';
import type { GameBridge } from '../game/game-bridge.ts';
import { type CommandResult, type Ending, isFinal } from '../game/operations/operation.ts';
import type { Carry } from '../game/operations/own-operations.ts';
import type { Objections } from '../game/questions/objections.ts';
import { type ClosedFor, type ClosedWork, closedWhile } from './closed-while.ts';
import { type CourseParts, DrainCourse } from './course.ts';
import type { DrainFile, DrainOrder, WaitingDrain } from './drain-file.ts';
import {
  type AskedDrain,
  type Begun,
  CalledOff,
  type Carried,
  endable,
  goesOn,
  orderOf,
  over,
  refuseDrain,
  Standing,
} from './standing.ts';

const minuteMs = 60_000;

export interface DrainsParts extends CourseParts {
  readonly bridge: CourseParts['bridge'] & Pick<GameBridge, 'operations'>;
  readonly file: Pick<DrainFile, 'read' | 'write' | 'remove' | 'close'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Sees players off, one drain at a time: who is in may finish, nobody new comes in, the game saves, and then it is stopped or
 * restarted.
 */
export class Drains {
  readonly #parts: DrainsParts;
  #standing: Standing | undefined;
  #left: WaitingDrain | undefined;
  #isStopping = false;
  /** Over with a stop of this service: its game goes as well, and lets nobody in again. */
  #lastOfAll: Standing | undefined;
  #savedAt: Date | undefined;

  constructor(parts: DrainsParts) {
    this.#parts = parts;
    parts.bridge.events.follow(({ event: { type }, at }) => {
      if (type === 'farm.saved') this.#savedAt = at;
    });
  }

  /** Another object exactly when it is another. */
  get standing(): Draining | undefined {
    return this.#standing?.toldBy(this.#parts.clock);
  }

  /** What lets players in again, while nobody new comes in. */
  get remedy(): string | undefined {
    return this.#standing?.remedy(this.#isStopping);
  }

  /** When the game saved last, as far as was heard since this service started. */
  get savedAt(): Date | undefined {
    return this.#savedAt;
  }

  /** Nobody new comes in while there is one. */
  readonly objections: Objections = {
    look: async () => () => () => (this.#standing ?? this.#lastOfAll)?.objection(this.#isStopping),
  };

  /** What an earlier process left waiting; to be called before a game can come, as nobody new comes in with it. */
  async load(): Promise<void> {
    const { file, log } = this.#parts;
    this.#left = await file.read().catch((error: unknown) => {
      log.warn({ err: error }, 'the record of a drain cannot be read: players can join');
      return undefined;
    });
    if (this.#left !== undefined) this.#stand(this.#left.order, this.#left).isKept = true;
  }

  /** Goes on with it; whatever had begun to end is over with its process. */
  goOn(): void {
    const { bridge } = this.#parts;
    const left = this.#left;
    const killed = 'the control API was stopped meanwhile: the game is started, and players can join again';
    bridge.operations.decide(['drain', 'endDrain'], ({ id }) =>
      id === left?.operationId ? undefined : { ...over(killed), notDurable: true },
    );
    const standing = this.#standing;
    if (left === undefined || standing === undefined) return;
    // A file that could not be taken away tells of one that is over.
    const known = bridge.operations.find(left.operationId);
    if (known !== undefined && isFinal(known)) {
      this.#standing = undefined;
      void this.#parts.file.remove();
      return;
    }
    const work = this.#continued(left, standing);
    standing.over = work;
    void work.then((ending) =>
      bridge.operations.decide(['drain'], ({ id }) => (id === left.operationId ? ending : undefined)),
    );
  }

  start(asked: AskedDrain, idempotencyKey: string | undefined): Promise<CommandResult> {
    const { bridge, clock } = this.#parts;
    const carry: Carry = async ({ id: operationId }, step) => {
      this.#refuseStopping();
      refuseDrain(bridge, this.#standing);
      const order = orderOf(asked);
      const startedAt = timestampOf(clock.date());
      // Before anything is awaited: nobody else begins one meanwhile.
      const standing = this.#stand(order, { startedAt, operationId });
      const carried = this.#carried(standing, order.minutes * minuteMs, { operationId, step, isNew: true });
      standing.over = carried.catch(() => {});
      return carried;
    };
    return bridge.operations.carryOut(
      { name: 'drain', request: { name: 'drain', asked }, idempotencyKey },
      carry,
      { answersBegun: true, beginsKept: true },
    );
  }

  /** Whatever it does: who would have had to leave stays, and a game that it has stopped comes back. */
  end(idempotencyKey: string | undefined): Promise<CommandResult> {
    const { bridge } = this.#parts;
    const asked = { name: 'endDrain', request: { name: 'endDrain' }, idempotencyKey } as const;
    return bridge.operations.carryOut(asked, async () => {
      this.#refuseStopping();
      const wasStopped = endable(this.#standing).isAway;
      await this.#callOff(new CalledOff('it was cancelled: players can join again'));
      return { state: 'applied', outcome: { outcome: 'applied', before: {}, after: { wasStopped } } };
    });
  }

  /** Sees players off as a drain does, and does the work while nobody comes in; then everybody may, however it ended. */
  async closedWhile<Result>(asked: ClosedFor, work: ClosedWork<Result>): Promise<Result> {
    const { bridge, clock } = this.#parts;
    this.#refuseStopping();
    const { operationId, step, stopsGame = false } = asked;
    // What is not stopped need not be able to.
    refuseDrain({ state: bridge.state, startsGame: bridge.startsGame || !stopsGame }, this.#standing);
    const startedAt = timestampOf(clock.date());
    const standing = this.#stand(orderOf({ ...asked, restart: true }), { startedAt, operationId });
    const isIn = (phase: DrainPhase, leftMs?: number) => this.#isIn(standing, phase, leftMs);
    try {
      return await closedWhile({ ...this.#parts, standing, isIn, operationId, step, stopsGame }, work);
    } finally {
      if (!standing.calling.signal.aborted) await this.#ended(standing, 'players can join again');
    }
  }

  /**
   * Before this service stops: as `now`, in so many seconds at the most, so that no day is lost that has the time. A game that is
   * not started here goes on without this service, and its players stay.
   */
  async beforeStop(seconds: number): Promise<void> {
    const { bridge, clock, log } = this.#parts;
    const { status } = bridge.state.link;
    const nobodyIsIn = this.#standing?.isAway === true || status === 'stopped' || status === 'starting';
    if (seconds <= 0 || !bridge.startsGame || nobodyIsIn) return;
    this.#isStopping = true;
    await this.#callOff(new CalledOff('the service stops', true));
    // The other half is for who is slow to leave, and for the save.
    const order: DrainOrder = { when: 'now', restart: false, minutes: 0, seconds: Math.floor(seconds / 2) };
    const standing = this.#stand(order, { startedAt: timestampOf(clock.date()) });
    const { calling } = standing;
    const timer = clock.after(seconds * 1_000, () => calling.abort(new CalledOff('there was no more time')));
    const course = new DrainCourse(this.#parts, order, {
      phase: async (now, leftMs) => this.#isIn(standing, now, leftMs),
      signal: calling.signal,
      operationId: undefined,
    });
    const isSaved = await course.seeOff(0).catch((error: unknown) => {
      log.warn({ err: error }, 'not all players could be disconnected before the service stops');
      return false;
    });
    timer.cancel();
    log.info({ isSaved }, 'the drain is done');
  }

  /** Nothing goes on any more. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#callOff(new CalledOff('the service stops', true));
    this.#parts.file.close();
  }

  async #continued({ order, operationId, startedAt }: WaitingDrain, standing: Standing): Promise<Ending> {
    const { clock, log } = this.#parts;
    const waitMs = order.minutes * minuteMs;
    // By the wall clock, which may have been set meanwhile, also back.
    const leftMs = Math.max(0, Math.min(waitMs, Date.parse(startedAt) + waitMs - clock.date().getTime()));
    try {
      return await this.#carried(standing, leftMs, { operationId, isNew: false });
    } catch (error) {
      log.warn({ err: error }, 'the drain failed');
      return over(error instanceof Error ? error.message : String(error));
    }
  }

  async #carried(standing: Standing, waitMs: number, { operationId, step, isNew }: Carried): Promise<Ending> {
    const { bridge } = this.#parts;
    const { order, calling, told } = standing;
    const { signal } = calling;
    const phase = async (now: DrainPhase, leftMs?: number) => {
      // From here on it ends with this process.
      if (now === 'counting') await this.#parts.file.remove();
      signal.throwIfAborted();
      const kept = step?.(now);
      // Where what it begins with cannot be kept, no claim can: nobody could be warned or disconnected.
      if (now === told.phase) await kept;
      signal.throwIfAborted();
      this.#isIn(standing, now, leftMs);
    };
    try {
      if (isNew && order.when !== 'now') {
        await this.#keep({ order, operationId, startedAt: told.startedAt });
        standing.isKept = true;
      }
      signal.throwIfAborted();
      const drained = await new DrainCourse(this.#parts, order, { phase, signal, operationId }).run(waitMs);
      if (order.restart) this.#standing = undefined;
      else this.#isIn(standing, 'stopped');
      bridge.events.append({ type: 'server.drained', data: { restart: order.restart, ...drained } });
      return { state: 'applied', outcome: { outcome: 'applied', before: {}, after: { ...drained } } };
    } catch (error) {
      if (error instanceof CalledOff) return this.#goesOn(standing, error) ? goesOn : over(error.message);
      await this.#ended(standing, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  async #callOff(why: CalledOff): Promise<void> {
    const standing = this.#standing;
    if (standing === undefined) return;
    standing.calling.abort(why);
    await standing.over;
    if (this.#goesOn(standing, why)) this.#standing = undefined;
    else await this.#ended(standing, why.message, why.isByStop);
  }

  /** A game that goes on without this service is still to be seen off by the next. */
  #goesOn({ isKept, told: { phase } }: Standing, { isByStop }: CalledOff): boolean {
    return isByStop && isKept && phase === 'waiting' && !this.#parts.bridge.startsGame;
  }

  /** All is as it was before, before anybody can begin another. */
  async #ended(standing: Standing, reason: string, isByStop = false): Promise<void> {
    const { bridge } = this.#parts;
    if (this.#standing === standing) await this.#parts.file.remove();
    // It is over already, by itself or by somebody else.
    if (this.#standing !== standing) return;
    this.#standing = undefined;
    if (isByStop && bridge.startsGame) this.#lastOfAll = standing;
    // That the service stops is told by itself.
    if (this.#lastOfAll !== undefined) return;
    if (!isByStop) bridge.giveGameBack('drain');
    bridge.events.append({ type: 'server.drainEnded', data: { reason } });
  }

  async #keep(waiting: WaitingDrain): Promise<void> {
    try {
      await this.#parts.file.write(waiting);
    } catch (error) {
      throw new Problem(
        'state-unwritable',
        `A waiting drain is written to STATE_DIR first, so that it survives a restart, and STATE_DIR cannot be written (${errorCode(error) ?? error}): free some space, let the service write there, and try again`,
      );
    }
  }

  #refuseStopping(): void {
    if (this.#isStopping) throw shuttingDown('The server is stopping: nothing new is started');
  }

  #stand(order: DrainOrder, of: Begun): Standing {
    this.#standing = new Standing(order, of);
    return this.#standing;
  }

  #isIn(standing: Standing, phase: DrainPhase, leftMs?: number): void {
    const { clock, bridge, log } = this.#parts;
    standing.isIn(phase, leftMs, clock);
    const { startedAt: _startedAt, operationId: _id, ...told } = standing.told;
    log.info(told, `drain: ${phase}`);
    bridge.events.append({ type: 'server.draining', data: told });
  }
}
