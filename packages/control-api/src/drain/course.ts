import type { Clock } from '@steward/service-kit/clock';
import type { Drained } from '@steward/shared/api/answers/drain';
import type { DrainPhase } from '@steward/shared/drain';
import { Problem } from '@steward/shared/problems/problem';
import { type Awaiting, comesToPass, type Follow, returnMs } from '../game/awaited.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import { appliedOf, hasSaved, isForTheMoment, isNotKept, isPlayed } from '../game/operations/operation.ts';
import { hasNoFarm, isConnected, isCurrent, isSaving } from '../game/state/bridge-state.ts';
import type { DrainOrder } from './drain-file.ts';
import type { ShownOut, Usher } from './usher.ts';
import { closedWords, countdownMarks, countdownWords, waitingWords, waitMarks } from './words.ts';

export const courseLimits = {
  /** At the day's end nothing is left to finish. */
  dayEndSeconds: 10,
  /** Who was disconnected is gone by then, or will not go. */
  leavingMs: 15_000,
  /** A save may be under way, or a day ending, in which nobody is disconnected and nothing saved; what a game may take for one is longer. */
  savingMs: 90_000,
  againMs: 2_000,
  /** As good as at the moment of which it is said how long it is until then. */
  lateMs: 1_000,
  /** A game that was asked to stop, and is not ours to end. */
  goneMs: 60_000,
  /** A game that is started loads for a while. */
  backMs: 180_000,
} as const;

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
  readonly #calledOff: Promise<never>;
  /** Whether the day has ended, and the game has saved after that. */
  #day: 'goes-on' | 'has-ended' | 'is-saved' = 'goes-on';
  #mayWait = true;
  /** The game has saved since nobody was there any more, or has no farm that could be saved. */
  #isSaved = false;
  /** The last that the game was to do, to disconnect or to save, was not done as no claim could be kept. */
  #isNotKept = false;
  /** By when a game that has lost its connection since is back, or has stopped. */
  #backBy = 0;

  constructor(parts: CourseParts, order: DrainOrder, progress: Progress) {
    this.#parts = parts;
    this.#order = order;
    this.#progress = progress;
    const { bridge, clock } = parts;
    const { signal } = progress;
    const follow: Follow = (changed) => {
      const unfollow = [bridge.follow(changed), bridge.events.follow(changed)];
      return () => {
        for (const each of unfollow) each();
      };
    };
    this.#awaiting = { clock, follow, signal };
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason));
    promise.catch(() => {});
    this.#calledOff = promise;
  }

  /** `waitMs`: how long it may still wait for its moment. */
  async run(waitMs: number): Promise<Drained> {
    return this.#heard(async () => {
      await this.#seeOff(waitMs);
      await this.#stop();
      return { isSaved: this.#isSaved, isBack: this.#order.restart && (await this.#comeBack()) };
    });
  }

  /** All but the end of the game; whether it has saved. */
  async seeOff(waitMs: number): Promise<boolean> {
    return this.#heard(async () => {
      await this.#seeOff(waitMs);
      return this.#isSaved;
    });
  }

  /** All but its return, for somebody who needs it away, also where somebody else starts it; whether it has saved. */
  async takeAway(waitMs: number): Promise<boolean> {
    return this.#heard(async () => {
      await this.#seeOff(waitMs);
      await this.#stop(true);
      return this.#isSaved;
    });
  }

  async #heard<Result>(work: () => Promise<Result>): Promise<Result> {
    const { bridge, clock } = this.#parts;
    // A night that goes on already began before anybody listened here.
    if (isSaving(bridge.state)) this.#day = 'has-ended';
    const unheard = bridge.events.follow(({ event: { type } }) => {
      if (type === 'farm.dayEnded') this.#day = 'has-ended';
      if (type !== 'farm.saved') return;
      if (this.#day === 'has-ended') this.#day = 'is-saved';
      // Also on its way out.
      if (!this.#mayWait && this.#isEmpty) this.#isSaved = true;
    });
    const unfollow = bridge.follow((state) => {
      const isGone = state.link.status === 'gone';
      this.#backBy = isGone ? this.#backBy || clock.now() + returnMs : 0;
      // One may also have begun while the game was not heard.
      if (this.#day === 'goes-on' && isCurrent(state) && isSaving(state)) this.#day = 'has-ended';
    });
    try {
      return await work();
    } finally {
      unheard();
      unfollow();
    }
  }

  async #seeOff(waitMs: number): Promise<void> {
    const hasItsMoment = this.#order.when !== 'now' && (await this.#wait(waitMs));
    await this.#countDown(hasItsMoment);
    this.#mayWait = false;
    await this.#showOut();
    await this.#save();
  }

  /** Known to be: on a game that somebody else runs players may go on while it is not connected. */
  get #isEmpty(): boolean {
    const { bridge } = this.#parts;
    const { link, sections, isWhole } = bridge.state;
    if (isConnected(link.status)) return isWhole && sections.players?.length === 0;
    return bridge.startsGame && link.status !== 'starting';
  }

  get #isThere(): boolean {
    return isConnected(this.#parts.bridge.state.link.status);
  }

  /** Whether it is there, or comes back before it has to be taken for stopped. */
  #isBackSoon(): Promise<boolean> {
    return comesToPass(() => this.#isThere, this.#backBy - this.#parts.clock.now(), this.#awaiting);
  }

  get #asStep() {
    const { operationId: partOf } = this.#progress;
    return partOf === undefined ? {} : { partOf };
  }

  /** What goes on by itself when the drain is called off. */
  #unlessCalledOff<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([this.#calledOff, work]);
  }

  #isItsMoment(): boolean {
    return this.#isEmpty || (this.#order.when === 'day-end' && this.#day === 'is-saved');
  }

  async #wait(ms: number): Promise<boolean> {
    await this.#unlessCalledOff(this.#progress.phase('waiting', ms));
    return this.#announceUntil(() => this.#isItsMoment(), ms, waitMarks, waitingWords);
  }

  async #countDown(hasItsMoment: boolean): Promise<void> {
    const seconds = hasItsMoment
      ? Math.min(this.#order.seconds, courseLimits.dayEndSeconds)
      : this.#order.seconds;
    await this.#unlessCalledOff(this.#progress.phase('counting', seconds * 1_000));
    await this.#announceUntil(() => this.#isEmpty, seconds * 1_000, countdownMarks, countdownWords);
  }

  /** Says how long it still is: at once, and each time that no more is left than a mark. Timers come a part of a millisecond early or late. */
  async #announceUntil(
    look: () => boolean,
    ms: number,
    marks: readonly number[],
    words: (order: DrainOrder, leftMs: number) => string,
  ): Promise<boolean> {
    const { clock, usher } = this.#parts;
    const until = clock.now() + ms;
    for (let left = ms; left > 0; ) {
      if (look()) return true;
      // Nobody waits for a game that is slow to say it.
      void usher.announce(words(this.#order, left));
      const next = marks.find((each) => each < left) ?? 0;
      if (await comesToPass(look, until - next - clock.now(), this.#awaiting)) return true;
      const truly = until - clock.now();
      left = next - truly < courseLimits.lateMs ? next : truly;
    }
    return look();
  }

  /** Again until nobody is there: while a game saves it disconnects nobody, and who was past the gate may yet arrive. */
  async #showOut(): Promise<void> {
    const { clock } = this.#parts;
    const { leavingMs, savingMs, againMs } = courseLimits;
    await this.#progress.phase('leaving', leavingMs);
    const begun = clock.now();
    while (!this.#isEmpty) {
      const shown = await this.#disconnect();
      const mayBeLater = shown === 'busy' || shown === 'not-kept';
      const left = begun + (mayBeLater ? savingMs : leavingMs) - clock.now();
      if (left <= 0) return;
      await comesToPass(() => this.#isEmpty, Math.min(againMs, left), this.#awaiting);
    }
  }

  async #disconnect(): Promise<ShownOut> {
    const { usher } = this.#parts;
    const shown = await this.#unlessCalledOff(usher.showOut(closedWords(this.#order), this.#asStep));
    if (shown !== 'unable') this.#isNotKept = shown === 'not-kept';
    return shown;
  }

  /** Again while the game is busy with a save of its own, or somebody is there who is being disconnected. */
  async #save(): Promise<void> {
    const { bridge, clock } = this.#parts;
    const { savingMs, againMs } = courseLimits;
    await this.#progress.phase('saving', savingMs);
    const until = clock.now() + savingMs;
    while ((await this.#isBackSoon()) && !hasNoFarm(bridge.state)) {
      const result = await this.#unlessCalledOff(bridge.run({ name: 'save', params: {} }, this.#asStep));
      if (appliedOf(result) !== undefined) {
        this.#isSaved = true;
        return;
      }
      // One that was never claimed is never done: a game that stood still for those seconds is asked again.
      let mayBeLater =
        isForTheMoment(result) || (result.kind === 'operation' && result.operation.state === 'void');
      if (result.kind === 'operation') this.#isNotKept = isNotKept(result);
      if (isPlayed(result)) mayBeLater = (await this.#disconnect()) !== 'unable';
      if (!mayBeLater || clock.now() >= until) return;
      await comesToPass(() => !this.#isThere, againMs, this.#awaiting);
    }
    // Without a farm there is no day to lose.
    if (hasNoFarm(bridge.state)) this.#isSaved = true;
  }

  /** A game that would have done what it was to do, had that been kept, is not stopped over the heads of those who play. */
  async #stop(isKeptAway = false): Promise<void> {
    if (this.#isNotKept && this.#isThere && !this.#isEmpty)
      throw new Problem(
        'state-unwritable',
        'STATE_DIR cannot be written, so the game could not be told to disconnect the players and save: it runs on, and players can join again. Free some space, let the service write there, and try again',
      );
    const { bridge } = this.#parts;
    const { restart } = this.#order;
    await this.#progress.phase('stopping');
    const why = {
      reason: closedWords(this.#order),
      remedy: restart
        ? 'Nothing to do: the game is starting again'
        : 'Start the game again on the page, or with DELETE /drain',
    };
    if (!bridge.startsGame) await this.#askToStop();
    if (bridge.startsGame || !restart || isKeptAway)
      await this.#unlessCalledOff(bridge.holdGame('drain', why));
  }

  /** Whoever runs it may start it again at once: once it has gone nothing is awaited before it is held. */
  async #askToStop(): Promise<void> {
    if (!(await this.#isBackSoon())) return;
    const { bridge } = this.#parts;
    const { goneMs } = courseLimits;
    void bridge.run({ name: 'stop', params: {} }, { alsoIfFrozen: true, ...this.#asStep }).then((result) => {
      if (hasSaved(result)) this.#isSaved = true;
    });
    if (await comesToPass(() => !this.#isThere, goneMs, this.#awaiting)) return;
    throw new Problem(
      'game-running',
      `The game was asked to stop, and is still running after ${goneMs / 1_000} s: players can join again. Stop it where it was started`,
    );
  }

  async #comeBack(): Promise<boolean> {
    const { bridge } = this.#parts;
    const { backMs } = courseLimits;
    await this.#progress.phase('starting', backMs);
    bridge.giveGameBack('drain');
    return comesToPass(
      () => bridge.state.link.status === 'live' && bridge.state.isWhole,
      backMs,
      this.#awaiting,
    );
  }
}
