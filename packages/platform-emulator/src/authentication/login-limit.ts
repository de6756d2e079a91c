export interface LoginLimitOptions {
  /** Password logins in the window before RateLimitExceeded; reports of the real platform speak of 10 to 15. */
  readonly attempts?: number;
  /** How long the limit then holds; each refused attempt starts it anew. */
  readonly blockMs?: number;
}

const defaultAttempts = 15;
const defaultBlockMs = 30 * 60_000;

/** The platform's limit on password logins from one address; everyone on loopback is one address. */
export class LoginLimit {
  readonly #attempts: number;
  readonly #blockMs: number;
  readonly #now: () => number;
  #recent: number[] = [];
  #blockedUntil = 0;

  constructor(
    { attempts = defaultAttempts, blockMs = defaultBlockMs }: LoginLimitOptions,
    now: () => number,
  ) {
    this.#attempts = attempts;
    this.#blockMs = blockMs;
    this.#now = now;
  }

  /** Counts one attempt; false when it must be refused. */
  allows(): boolean {
    const now = this.#now();
    this.#recent = this.#recent.filter((at) => now - at < this.#blockMs);
    if (now < this.#blockedUntil || this.#recent.length >= this.#attempts) {
      this.#blockedUntil = now + this.#blockMs;
      return false;
    }
    this.#recent.push(now);
    return true;
  }

  /** As if the time were over. */
  lift(): void {
    this.#recent = [];
    this.#blockedUntil = 0;
  }
}
