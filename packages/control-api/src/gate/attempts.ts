/** More addresses than this are not remembered: the oldest window is forgotten first. */
const addressLimit = 10_000;

interface Window {
  readonly from: number;
  count: number;
}

export interface AttemptLimit {
  readonly attempts: number;
  readonly windowMs: number;
}

/** Counts attempts by address, in windows that begin with the first one. */
export class Attempts {
  readonly #limit: AttemptLimit;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  constructor(limit: AttemptLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one attempt. Beyond the limit it answers for how many seconds there is no use in another. */
  count(address: string): number | undefined {
    const now = this.#now();
    const window = this.#window(address, now);
    window.count += 1;
    if (window.count <= this.#limit.attempts) return undefined;
    return Math.max(1, Math.ceil((window.from + this.#limit.windowMs - now) / 1_000));
  }

  #window(address: string, now: number): Window {
    const known = this.#windows.get(address);
    if (known !== undefined && now - known.from < this.#limit.windowMs) return known;
    const window = { from: now, count: 0 };
    // Deleted first, so that the map stays in the order in which windows began.
    this.#windows.delete(address);
    this.#windows.set(address, window);
    if (this.#windows.size > addressLimit) this.#windows.delete(this.#windows.keys().next().value ?? '');
    return window;
  }
}
