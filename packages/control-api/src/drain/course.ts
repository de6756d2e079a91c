import type { Clock } from '@steward/service-kit/clock';
import type { Drained } from '@steward/shared/api/answers/drain';
import type { DrainPhase } from '@steward/shared/drain';
import type { GameBridge } from '../game/game-bridge.ts';
import type { CommandResult } from '../game/operations/operation.ts';
import { isConnected } from '../game/state/bridge-state.ts';
import { type Awaiting, comesToPass, type Follow } from './awaited.ts';
import type { DrainOrder } from './drain-file.ts';
import { closedWords, countdownMarks, countdownWords, waitingWords, waitMarks } from './words.ts';

export const courseLimits = {
  /** At the day's end nothing is left to finish. */
  dayEndSeconds: 10,
  /** Who was disconnected is gone by then, or will not go. */
  leavingMs: 15_000,
  /** A save may be under way, or a day ending; what a game may take for one is longer. */
  savingMs: 90_000,
  saveAgainMs: 2_000,
  /** A game that was asked to stop, and is not ours to end. */
  goneMs: 60_000,
  /** A game that is started loads for a while. */
  backMs: 180_000,
} as const;

/** Speaks to players, and shows them out. A game that cannot is not asked to. */
export interface Usher {
  announce(text: string): Promise<void>;
  /** Disconnects whoever is there. */
  showOut(reason: string): Promise<void>;
}

export interface CourseParts {
  readonly bridge: Pick<
    GameBridge,
    'state' | 'follow' | 'events' | 'run' | 'holdGame' | 'giveGameBack' | 'startsGame'
  >;
  readonly usher: Usher;
  readonly clock: Pick<Clock, 'after' | 'now'>;
}

export interface Progress {
  /** What is done now, and in how many milliseconds it goes on at the latest. */
  readonly phase: (phase: DrainPhase, leftMs?: number) => Promise<void>;
  /** Calls it off. */
  readonly signal: AbortSignal;
  readonly operationId: string | undefined;
}

/** One drain from its wait to its end. Rejects with the signal's reason where it is called off. */
export class DrainCourse {
  readonly #parts: CourseParts;
  readonly #order: DrainOrder;
  readonly #progress: Progress;
  readonly #awaiting: Awaiting;
  /** The day has ended since, and the game has saved after that. */
  #day: 'goes-on' | 'has-ended' | 'is-saved' = 'goes-on';

  constructor(parts: CourseParts, order: DrainOrder, progress: Progress) {
    this.#parts = parts;
    this.#order = order;
    this.#progress = progress;
    const { bridge, clock } = parts;
    const follow: Follow = (changed) => {
      const unfollow = [bridge.follow(changed), bridge.events.follow(changed)];
      return () => {
        for (const each of unfollow) each();
      };
    };
    this.#awaiting = { clock, follow, signal: progress.signal };
  }

  /** `waitMs`: how long it may still wait for its moment. */
  async run(waitMs: number): Promise<Drained> {
    const isSaved = await this.seeOff(waitMs);
    const isSavedLast = await this.#stop();
    return { isSaved: isSaved || isSavedLast, isBack: this.#order.restart && (await this.#comeBack()) };
  }

  /** All but the end of the game; whether it has saved. */
  async seeOff(waitMs: number): Promise<boolean> {
    const unfollow = this.#parts.bridge.events.follow(({ event: { type } }) => {
      if (type === 'farm.dayEnded') this.#day = 'has-ended';
      if (type === 'farm.saved' && this.#day === 'has-ended') this.#day = 'is-saved';
    });
    try {
      const hasItsMoment = this.#order.when !== 'now' && (await this.#wait(waitMs));
      await this.#countDown(hasItsMoment);
      await this.#showOut();
      return await this.#save();
    } finally {
      unfollow();
    }
  }

  get #players(): number {
    const { link, sections } = this.#parts.bridge.state;
    return isConnected(link.status) ? (sections.players?.length ?? 0) : 0;
  }

  get #isThere(): boolean {
    return isConnected(this.#parts.bridge.state.link.status);
  }

  get #asStep() {
    const { operationId: partOf } = this.#progress;
    return partOf === undefined ? {} : { partOf };
  }

  #isItsMoment(): boolean {
    if (!this.#isThere) return true;
    return this.#order.when === 'empty'
      ? this.#players === 0
      : this.#day === 'is-saved' || this.#players === 0;
  }

  async #wait(ms: number): Promise<boolean> {
    await this.#progress.phase('waiting', ms);
    return this.#announceUntil(() => this.#isItsMoment(), ms, waitMarks, waitingWords);
  }

  async #countDown(hasItsMoment: boolean): Promise<void> {
    const seconds = hasItsMoment
      ? Math.min(this.#order.seconds, courseLimits.dayEndSeconds)
      : this.#order.seconds;
    await this.#progress.phase('counting', seconds * 1_000);
    await this.#announceUntil(() => this.#players === 0, seconds * 1_000, countdownMarks, countdownWords);
  }

  /** Says how long it still is: at once, and each time that no more is left than a mark. */
  async #announceUntil(
    look: () => boolean,
    ms: number,
    marks: readonly number[],
    words: (order: DrainOrder, leftMs: number) => string,
  ): Promise<boolean> {
    const { clock, usher } = this.#parts;
    const until = clock.now() + ms;
    for (;;) {
      const left = until - clock.now();
      if (look()) return true;
      if (left <= 0) return false;
      await usher.announce(words(this.#order, left));
      const next = marks.find((each) => each < until - clock.now()) ?? 0;
      if (await comesToPass(look, until - next - clock.now(), this.#awaiting)) return true;
    }
  }

  async #showOut(): Promise<void> {
    const { usher } = this.#parts;
    const { leavingMs } = courseLimits;
    await this.#progress.phase('leaving', leavingMs);
    if (this.#players === 0) return;
    await usher.showOut(closedWords(this.#order));
    await comesToPass(() => this.#players === 0, leavingMs, this.#awaiting);
  }

  /** Again while the game is busy with a save of its own; who will not leave keeps it from saving. */
  async #save(): Promise<boolean> {
    const { bridge, clock } = this.#parts;
    const { savingMs, saveAgainMs } = courseLimits;
    await this.#progress.phase('saving', savingMs);
    const until = clock.now() + savingMs;
    for (;;) {
      if (!this.#isThere) return false;
      const result = await bridge.run({ name: 'save', params: {} }, this.#asStep);
      if (isApplied(result)) return true;
      if (!mayPass(result) || clock.now() >= until) return false;
      await comesToPass(() => !this.#isThere, saveAgainMs, this.#awaiting);
    }
  }

  /** Whether the game saved on its way out. */
  async #stop(): Promise<boolean> {
    const { bridge } = this.#parts;
    const { restart } = this.#order;
    await this.#progress.phase('stopping');
    const why = {
      reason: closedWords(this.#order),
      remedy: restart
        ? 'Nothing to do: the game is started again by itself'
        : 'DELETE /drain starts it again',
    };
    if (bridge.startsGame) {
      await bridge.holdGame(why);
      return false;
    }
    if (!this.#isThere) {
      if (!restart) await bridge.holdGame(why);
      return false;
    }
    const result = await bridge.run({ name: 'stop', params: {} }, { alsoIfFrozen: true, ...this.#asStep });
    await comesToPass(() => !this.#isThere, courseLimits.goneMs, this.#awaiting);
    if (!restart) await bridge.holdGame(why);
    return isApplied(result) && hasSaved(result);
  }

  async #comeBack(): Promise<boolean> {
    const { bridge } = this.#parts;
    const { backMs } = courseLimits;
    await this.#progress.phase('starting', backMs);
    bridge.giveGameBack();
    return comesToPass(
      () => bridge.state.link.status === 'live' && bridge.state.isWhole,
      backMs,
      this.#awaiting,
    );
  }
}

function isApplied(result: CommandResult): boolean {
  return result.kind === 'operation' && result.operation.state === 'applied';
}

/** A game saves when it stops, if nobody keeps it from that: then there is one save more. */
function hasSaved(result: CommandResult): boolean {
  const outcome = result.kind === 'operation' ? result.operation.outcome : undefined;
  if (outcome?.outcome !== 'applied') return false;
  return Number(outcome.after['saveGeneration']) > Number(outcome.before['saveGeneration']);
}

const passing: ReadonlySet<string> = new Set(['saving', 'not-ready', 'busy']);

function mayPass(result: CommandResult): boolean {
  if (result.kind === 'unavailable') return true;
  const outcome = result.kind === 'operation' ? result.operation.outcome : undefined;
  return outcome?.outcome === 'refused' && passing.has(outcome.code);
}
