import { Backoff, type Clock } from '@steward/service-kit/clock';

/** `closed`: requests pass. `open`: none does for a while. `half-open`: one may try how it is now. */
export const breakerStates = ['closed', 'open', 'half-open'] as const;

export type BreakerState = (typeof breakerStates)[number];

export const breakerLimits = {
  /** Failures in a row: a restart that takes a moment has fewer. */
  failures: 5,
  /** How long it stays open. Never long: players wait for what comes after it. */
  pauses: { firstMs: 2_000, factor: 2, longestMs: 15_000, steadyMs: 60_000 },
  /** While one request tries, the others come back after this. */
  tryingMs: 500,
} as const;

/** Keeps requests from a service that does not answer, and lets one through now and then to see whether it does. */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #state: BreakerState = 'closed';
  #failures = 0;
  #closedAt: number;
  #opensAgainAt = 0;
  #opened = 0;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#backoff = new Backoff(breakerLimits.pauses, random);
    this.#closedAt = clock.now();
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** How often it has opened. */
  get opened(): number {
    return this.#opened;
  }

  /** How long a request has to wait; 0 when it may pass. */
  get pauseMs(): number {
    if (this.#state === 'closed') return 0;
    if (this.#state === 'half-open') return breakerLimits.tryingMs;
    return Math.max(0, this.#opensAgainAt - this.#clock.now());
  }

  /** A request passes. After a pause it is the one that tries. */
  passed(): void {
    if (this.#state === 'open') this.#state = 'half-open';
  }

  succeeded(): void {
    this.#failures = 0;
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#closedAt = this.#clock.now();
  }

  failed(): void {
    this.#failures += 1;
    const opens =
      this.#state === 'half-open' || (this.#state === 'closed' && this.#failures >= breakerLimits.failures);
    if (!opens) return;
    const now = this.#clock.now();
    // Closed for long means that it was well; one that only just closed goes on where its pauses were.
    const pause = this.#backoff.pause(this.#state === 'closed' ? now - this.#closedAt : 0);
    this.#state = 'open';
    this.#opened += 1;
    this.#opensAgainAt = now + pause;
  }
}
