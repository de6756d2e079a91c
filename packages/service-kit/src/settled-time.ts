import type { Clock } from './clock.ts';

/** Of a clock that was set it is not believed for so long that anything is over for good. */
export const settledMs = 10 * 60_000;
const setByMs = 5_000;

/**
 * The time of day, for whoever forgets or deletes by it what cannot be had back: a wall clock that is wrong for a short while, at the
 * start or later, does no lasting harm. What holds or not by the clock for now is asked of the clock itself.
 */
export class SettledTime {
  readonly #clock: Pick<Clock, 'now' | 'date'>;
  #last: { readonly wall: number; readonly elapsed: number };
  #steadyFrom: { readonly wall: number; readonly elapsed: number };

  constructor(clock: Pick<Clock, 'now' | 'date'>) {
    this.#clock = clock;
    this.#last = this.#times();
    // Of one that has only just been looked at nobody knows how it goes.
    this.#steadyFrom = this.#last;
  }

  /** Whether the wall clock has gone as the other has for a while. */
  isSettled(): boolean {
    return this.since() !== undefined;
  }

  /** From when on, by the wall clock, it has gone as the other; undefined where that is not long enough to believe it. */
  since(): number | undefined {
    const now = this.#times();
    const drift = now.wall - this.#last.wall - (now.elapsed - this.#last.elapsed);
    this.#last = now;
    if (Math.abs(drift) > setByMs) this.#steadyFrom = now;
    return now.elapsed - this.#steadyFrom.elapsed >= settledMs ? this.#steadyFrom.wall : undefined;
  }

  /** Milliseconds since 1970; of a clock that is not settled a time before all others, by which nothing is too old. */
  now(): number {
    return this.isSettled() ? this.#last.wall : Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds since some fixed moment, by the clock that nobody sets. */
  elapsed(): number {
    return this.#clock.now();
  }

  #times() {
    return { wall: this.#clock.date().getTime(), elapsed: this.#clock.now() };
  }
}
