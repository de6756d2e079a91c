import type { Clock } from '../../src/clock.ts';

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** A clock that moves when the test says so. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #start: number;
  readonly #timers = new Set<Timer>();

  constructor(start: Date = new Date()) {
    this.#start = start.getTime();
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#start + this.#now);
  }

  after(ms: number, action: () => void): () => void {
    const timer: Timer = { at: this.#now + ms, action };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** What is due happens in its order, at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.action();
    }
    this.#now = end;
  }
}
