import type { Clock, Timer } from '@steward/service-kit/clock';
import type { CommandOutcome, JournalEntry } from '@steward/shared/bridge/outcome';
import type { Answer, Params } from '@steward/shared/bridge/peer';
import { timestampOf } from '@steward/shared/wire-values';
import {
  type Ending,
  isFinal,
  mayBecome,
  type Operation,
  type OperationCommandName,
  type OperationState,
} from './operation.ts';

/** What a game's journal says of a command, or that it says so in a form that nobody can read. */
export type JournalWord = JournalEntry | { readonly command: string; readonly state: 'unreadable' };

/** The live connection, as far as operations need it. */
export interface GameLink {
  readonly capabilities: ReadonlySet<string>;
  readonly farmId: string | undefined;
  /** Returns what forgets the command: a later answer is ignored. */
  send(command: OperationCommandName, params: Params, settle: (answer: Answer) => void): () => void;
  /** Undefined when the game did not answer, in time or at all. */
  journal(ids: readonly string[]): Promise<readonly JournalWord[] | undefined>;
}

export interface LiveParts {
  readonly clock: Clock;
  /** Whether anybody may yet tell of an unknown outcome. */
  readonly keepsJournal: boolean;
  /** Hands on the new state and resolves when it is kept. */
  readonly keep: (operation: Operation, isNews?: boolean) => Promise<void>;
}

/** An operation that is still running its course, with its deadline and those who wait for its answer. */
export class LiveOperation {
  readonly link: GameLink | undefined;
  /** Settled when there is something to tell the caller: an outcome, void, or that the outcome is unknown. */
  readonly answered: Promise<void>;
  readonly #parts: LiveParts;
  readonly #answer: () => void;
  readonly #reject: (error: unknown) => void;
  #now: Operation;
  #timer: Timer | undefined;
  #patience: Timer | undefined;
  #isTold = false;
  #forget: (() => void) | undefined;

  constructor(first: Operation, link: GameLink | undefined, parts: LiveParts) {
    this.#now = first;
    this.link = link;
    this.#parts = parts;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // There may be nobody who waits.
    promise.catch(() => {});
    this.answered = promise;
    this.#answer = resolve;
    this.#reject = reject;
    if (first.state === 'unknown') resolve();
  }

  get now(): Operation {
    return this.#now;
  }

  /** `forget` tells the connection that nobody waits for the game's answer any more. */
  sent(forget: () => void): void {
    if (this.#now.state === 'pending' || this.#now.state === 'claimed') this.#forget = forget;
  }

  deadline(ms: number, passed: () => void): void {
    this.#timer?.cancel();
    this.#timer = this.#parts.clock.after(ms, passed);
  }

  /** After so long those who wait are told that it goes on; it is kept first, so that they can ask for it over a restart. */
  underWay(ms: number): void {
    this.#patience = this.#parts.clock.after(ms, () => {
      this.#isTold = true;
      this.#parts
        .keep(this.#now)
        .finally(this.#answer)
        .catch(() => {});
    });
  }

  /** Those who wait are told at once that it goes on. */
  goesOn(): void {
    this.#isTold = true;
    this.#answer();
  }

  /** Whether somebody was told of it before it ended. */
  get isTold(): boolean {
    return this.#isTold || this.#now.state === 'unknown';
  }

  /** Says what is done now; resolves when that is kept. */
  async step(step: string): Promise<void> {
    if (isFinal(this.#now)) return;
    this.#now = { ...this.#now, step, changedAt: timestampOf(this.#parts.clock.date()) };
    await this.#parts.keep(this.#now);
  }

  /** Goes on to the next state, if the states allow it; resolves when that is kept. */
  async become(state: OperationState, more: Omit<Ending, 'state'> = {}): Promise<boolean> {
    // What is unknown can also come to be so for good.
    const isStillUnknown = this.#now.state === 'unknown' && state === 'unknown';
    const isGivenUp = isStillUnknown && more.forGood === true && !isFinal(this.#now);
    if (!mayBecome(this.#now.state, state) && !isGivenUp) return false;
    this.#timer?.cancel();
    this.#patience?.cancel();
    // Why nobody knew how it ended, and that nobody ever will, goes with that.
    const { forGood: _forGood, why: _why, ...known } = this.#now;
    const before = state === 'unknown' ? this.#now : known;
    this.#now = { ...before, ...more, state, changedAt: timestampOf(this.#parts.clock.date()) };
    const waits = state === 'claimed';
    // That promises nothing which a disk that hangs could take back.
    if (state === 'unknown') this.#answer();
    // An unknown outcome may still come by the same connection; a void command's answer means nothing.
    if (!waits && state !== 'unknown') this.#forget?.();
    try {
      await this.#parts.keep(this.#now);
    } finally {
      if (!waits) this.#answer();
    }
    return true;
  }

  /** Those who wait for its answer get this instead. A step that was kept would say after a restart that it goes on: its end is kept first. */
  async fail(error: unknown, why: string): Promise<void> {
    this.#timer?.cancel();
    this.#patience?.cancel();
    try {
      if (this.#now.step === undefined) return;
      const changedAt = timestampOf(this.#parts.clock.date());
      this.#now = { ...this.#now, state: 'void', why, notDurable: true, changedAt };
      await this.#parts.keep(this.#now, false);
    } finally {
      this.#reject(error);
    }
  }

  async unknown(why: string): Promise<boolean> {
    return this.become('unknown', this.#parts.keepsJournal ? { why } : { why, forGood: true });
  }

  async outcome(outcome: CommandOutcome): Promise<boolean> {
    if (outcome.outcome === 'void')
      return this.become('void', { why: 'the game gave up the command without applying it' });
    return this.become(outcome.outcome, { outcome });
  }
}
