import type { Clock } from '@steward/service-kit/clock';
import type { Draining } from '@steward/shared/api/answers/drain';
import { type DrainPhase, type DrainWhen, drainLimits } from '@steward/shared/drain';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import type { GameBridge } from '../game/game-bridge.ts';
import type { Ending } from '../game/operations/operation.ts';
import type { Objected } from '../game/questions/objections.ts';
import { isConnected } from '../game/state/bridge-state.ts';
import type { DrainOrder } from './drain-file.ts';
import { closedWords } from './words.ts';

export interface AskedDrain {
  readonly when: DrainWhen;
  readonly restart?: boolean;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly message?: string;
}

export function orderOf({ when, restart = false, minutes, seconds, message }: AskedDrain): DrainOrder {
  return {
    when,
    restart,
    minutes: minutes ?? drainLimits.usualMinutes[when],
    seconds: seconds ?? drainLimits.usualSeconds,
    ...(message === undefined ? {} : { message }),
  };
}

/** Why a drain does not go on: that is no failure. */
export class CalledOff extends Error {
  /** By the end of this process: where the game outlives that, it is for the next one to go on. */
  readonly isByStop: boolean;

  constructor(message: string, isByStop = false) {
    super(message);
    this.isByStop = isByStop;
  }
}

/** How one ends that the next process goes on with. */
export const goesOn: Ending = {
  state: 'unknown',
  why: 'the service was stopped; the drain continues when it starts again',
};

/** How one ends that came to nothing. */
export function over(why: string): Ending {
  return { state: 'void', why };
}

export interface Begun {
  readonly startedAt: string;
  readonly operationId?: string;
}

export interface Carried {
  readonly operationId: string;
  readonly step?: (phase: string) => Promise<void>;
  readonly isNew: boolean;
}

/** From here on the game goes, or has gone. */
const away: ReadonlySet<DrainPhase> = new Set(['stopping', 'stopped', 'starting']);

/** By more than this no two clocks differ that are read one after the other, unless one was set. */
const clockSetMs = 1_000;

type Clocks = Pick<Clock, 'now' | 'date'>;

/** The end of a phase, by the clock that nobody sets, and by the wall clock as it was told last. */
interface PhaseEnd {
  readonly untilMs: number;
  readonly toldMs: number;
}

/** The drain that there is, from its beginning until players come in again. */
export class Standing {
  readonly order: DrainOrder;
  readonly calling = new AbortController();
  /** Settled when what it does is over. */
  over: Promise<unknown> = Promise.resolve();
  /** What it is for has begun, and cannot be called off: the game is going on to another farm, or its files are being replaced. */
  isPastRecall = false;
  /** Whether it is written down, so that the next process can go on with it. */
  isKept = false;
  #told: Draining;
  #end: PhaseEnd | undefined;

  constructor(order: DrainOrder, { startedAt, operationId }: Begun) {
    const { when, restart, message } = order;
    this.order = order;
    this.#told = {
      phase: when === 'now' ? 'counting' : 'waiting',
      when,
      restart,
      startedAt,
      ...(message === undefined ? {} : { message }),
      ...(operationId === undefined ? {} : { operationId }),
    };
  }

  /** As it was told last. */
  get told(): Draining {
    return this.#told;
  }

  /** As it is told: another object exactly when it is another. Its end is by the wall clock as it is now, which may have been set. */
  toldBy(clock: Clocks): Draining {
    if (this.#end === undefined) return this.#told;
    const { untilMs, toldMs } = this.#end;
    const byNowMs = clock.date().getTime() + untilMs - clock.now();
    if (Math.abs(byNowMs - toldMs) > clockSetMs) this.#endsAt({ untilMs, toldMs: byNowMs });
    return this.#told;
  }

  get isAway(): boolean {
    return away.has(this.#told.phase);
  }

  /** What there is against everybody who comes; a game that comes back is open as soon as it is there. */
  objection(isServiceStopping: boolean): Objected | undefined {
    if (this.#told.phase === 'starting') return undefined;
    const message = closedWords(this.order);
    return { code: 'draining', message, reason: message, remedy: this.remedy(isServiceStopping) };
  }

  /** What lets players in again. A service that stops calls nothing off that it is asked to. */
  remedy(isServiceStopping = false): string {
    if (isServiceStopping) return 'Nothing to do: the service is stopping';
    const { phase, operationId } = this.#told;
    if (this.isPastRecall)
      return `Nothing to do: it ends by itself. GET /operations/${operationId} shows how`;
    const what = phase === 'stopped' ? 'Start the game' : 'Let players in';
    return `${what} again on the page, or with DELETE /drain`;
  }

  /** `leftMs`: in how many milliseconds it goes on at the latest. */
  isIn(phase: DrainPhase, leftMs: number | undefined, clock: Clocks): void {
    const { until: _before, ...told } = this.#told;
    this.#told = { ...told, phase };
    this.#end = undefined;
    if (leftMs === undefined) return;
    this.#endsAt({ untilMs: clock.now() + leftMs, toldMs: clock.date().getTime() + leftMs });
  }

  #endsAt(end: PhaseEnd): void {
    this.#end = end;
    this.#told = { ...this.#told, until: timestampOf(end.toldMs) };
  }
}

/** Throws the Problem that says why nothing can be called off now. */
export function endable(standing: Standing | undefined): Standing {
  if (standing === undefined)
    throw new Problem('drain-not-found', 'No drain is running, and none has stopped the game');
  if (!standing.isPastRecall) return standing;
  const { operationId } = standing.told;
  throw new Problem(
    'drain-not-found',
    `The players were disconnected, and the task that needed this is running: players can join when it is done. GET /operations/${operationId} shows how it ends`,
  );
}

/** Throws the Problem that says why none can be begun now. */
export function refuseDrain(
  { state, startsGame }: Pick<GameBridge, 'state' | 'startsGame'>,
  standing: Standing | undefined,
): void {
  const { selfHosted, link, game } = state;
  if (selfHosted !== undefined)
    throw new Problem(
      'not-supported-by-game',
      `${selfHosted.name} is not started by Steward, so Steward cannot drain it: stop it yourself`,
    );
  if (!startsGame && isConnected(link.status) && game?.capabilities.includes('stop') !== true)
    throw new Problem(
      'not-supported-by-game',
      'Steward did not start this game and cannot ask it to stop, so it cannot be drained: stop it where it was started',
    );
  if (standing === undefined) return;
  throw new Problem('drain-under-way', underWay(standing));
}

function underWay(standing: Standing): string {
  if (standing.isPastRecall) return `A drain is already running. ${standing.remedy()}`;
  return standing.told.phase === 'stopped'
    ? 'The game is stopped by a drain already: start it again on the page, or with DELETE /drain'
    : 'A drain is already running: GET /drain shows its progress, and DELETE /drain cancels it';
}
