// A machine that was asleep must not play a whole night at once.
const longestStepMs = 1_000;

export interface TickerParts {
  readonly tps: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** One run of the farm's loop, for the time that has passed. */
  readonly onTick: (elapsedMs: number) => void;
}

/** The farm's loop: it turns real time into the farm's. Stalled, it does not run at all. */
export class Ticker {
  readonly #parts: TickerParts;
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #last = 0;
  #due = 0;
  #stalled = false;
  #running = false;

  constructor(parts: TickerParts) {
    this.#parts = parts;
    this.#periodMs = 1000 / parts.tps;
  }

  start(): void {
    this.#running = true;
    this.#last = this.#parts.now();
    this.#due = this.#last;
    this.#wait();
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  /** Time that passes while the loop is stalled is lost, as it is for a game that hangs. */
  stall(stalled: boolean): void {
    this.#stalled = stalled;
    this.#last = this.#parts.now();
  }

  /** Timers know whole milliseconds; waiting for a point in time keeps the mean where it belongs. */
  #wait(): void {
    const now = this.#parts.now();
    this.#due = Math.max(this.#due + this.#periodMs, now);
    this.#timer = setTimeout(() => this.#tick(), this.#due - now);
  }

  #tick(): void {
    if (!this.#stalled) {
      const now = this.#parts.now();
      const elapsed = Math.min(now - this.#last, longestStepMs);
      this.#last = now;
      this.#parts.onTick(elapsed);
    }
    if (this.#running) this.#wait();
  }
}
