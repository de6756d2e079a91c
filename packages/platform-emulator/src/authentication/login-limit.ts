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
}

export interface LogonLimitOptions {
  /** Logons at once before RateLimitExceeded. */
  readonly burst?: number;
  /** How often one more is allowed. */
  readonly everyMs?: number;
  /** How long an address that was refused stays so; each further attempt begins it anew. */
  readonly blockMs?: number;
}

// Of fifty accounts that came back at once all after the eighth were refused; five seconds apart, all after the eightieth.
const defaultBurst = 8;
const defaultEveryMs = 5_600;

/** The platform's limit on logons of whatever account from one address; everyone on loopback is one address. */
export class LogonLimit {
  readonly #burst: number;
  readonly #everyMs: number;
  readonly #blockMs: number;
  readonly #now: () => number;
  #left: number;
  #filledAt: number;
  #blockedUntil = 0;

  constructor(options: LogonLimitOptions, now: () => number) {
    this.#burst = options.burst ?? defaultBurst;
    this.#everyMs = options.everyMs ?? defaultEveryMs;
    this.#blockMs = options.blockMs ?? defaultBlockMs;
    this.#now = now;
    this.#left = this.#burst;
    this.#filledAt = now();
  }

  /** Counts one logon; false when it must be refused. */
  allows(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#burst, this.#left + (now - this.#filledAt) / this.#everyMs);
    this.#filledAt = now;
    if (now < this.#blockedUntil || this.#left < 1) {
      this.#blockedUntil = now + this.#blockMs;
      return false;
    }
    this.#left -= 1;
    return true;
  }
}
