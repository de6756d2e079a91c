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
  #interval: NodeJS.Timeout | undefined;
  #last = 0;
  #stalled = false;

  constructor(parts: TickerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#last = this.#parts.now();
    this.#interval ??= setInterval(() => this.#tick(), 1000 / this.#parts.tps);
  }

  stop(): void {
    clearInterval(this.#interval);
    this.#interval = undefined;
  }

  /** Time that passes while the loop is stalled is lost, as it is for a game that hangs. */
  stall(stalled: boolean): void {
    this.#stalled = stalled;
    this.#last = this.#parts.now();
  }

  #tick(): void {
    if (this.#stalled) return;
    const now = this.#parts.now();
    const elapsed = Math.min(now - this.#last, longestStepMs);
    this.#last = now;
    this.#parts.onTick(elapsed);
  }
}
