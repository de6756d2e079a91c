import type { Clock, Timer } from '../../../src/bridge/clock.ts';

interface Due {
  readonly at: number;
  readonly action: () => void;
}

/** Time that passes when a test says so. */
export class ManualClock implements Clock {
  readonly #due = new Set<Due>();
  #now = 0;
  #setByMs = 0;

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(Date.UTC(2026, 10, 21) + this.#setByMs + this.#now);
  }

  /** The machine's wall clock is set forth, or back; what is measured goes on as it did. */
  setWallClock(byMs: number): void {
    this.#setByMs += byMs;
  }

  after(ms: number, action: () => void): Timer {
    const due = { at: this.#now + ms, action };
    this.#due.add(due);
    return { cancel: () => this.#due.delete(due) };
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#due].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#due.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.action();
    }
    this.#now = end;
  }
}
