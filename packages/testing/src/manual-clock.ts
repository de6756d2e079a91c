interface Due {
  readonly at: number;
  readonly action: () => void;
}

/** A `Clock` whose time passes when a test says so. */
export class ManualClock {
  readonly #due = new Set<Due>();
  #now = 0;
  #startMs: number;

  constructor(start: Date = new Date(Date.UTC(2026, 10, 21))) {
    this.#startMs = start.getTime();
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#startMs + this.#now);
  }

  /** The machine's wall clock is set forth, or back; what is measured goes on as it did. */
  setWallClock(byMs: number): void {
    this.#startMs += byMs;
  }

  after(ms: number, action: () => void): { cancel(): void } {
    const due = { at: this.#now + ms, action };
    this.#due.add(due);
    return { cancel: () => this.#due.delete(due) };
  }

  /** What is due happens in its order, at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#due].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#due.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.action();
    }
    this.#now = end;
  }
}
