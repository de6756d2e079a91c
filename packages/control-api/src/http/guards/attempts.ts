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
    return window.count > this.#limit.attempts ? this.#waitSeconds(window, now) : undefined;
  }

  /** How many attempts an address has made in its window. */
  made(address: string): number {
    return this.#known(address, this.#now())?.count ?? 0;
  }

  /** For how many seconds an address has no attempt left. */
  spent(address: string): number | undefined {
    const now = this.#now();
    const window = this.#known(address, now);
    if (window === undefined || window.count < this.#limit.attempts) return undefined;
    return this.#waitSeconds(window, now);
  }

  #waitSeconds({ from }: Window, now: number): number {
    return Math.max(1, Math.ceil((from + this.#limit.windowMs - now) / 1_000));
  }

  #known(address: string, now: number): Window | undefined {
    const window = this.#windows.get(address);
    return window !== undefined && now - window.from < this.#limit.windowMs ? window : undefined;
  }

  #window(address: string, now: number): Window {
    const known = this.#known(address, now);
    if (known !== undefined) return known;
    const window = { from: now, count: 0 };
    // Deleted first, so that the map stays in the order in which windows began.
    this.#windows.delete(address);
    this.#windows.set(address, window);
    if (this.#windows.size > addressLimit) this.#windows.delete(this.#windows.keys().next().value ?? '');
    return window;
  }
}
