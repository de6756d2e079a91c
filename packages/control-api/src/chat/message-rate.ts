/** A token bucket: so many a second, and up to `most` at once after a pause. */
export class MessageRate {
  readonly #perMs: number;
  readonly #most: number;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, most: number, now: number) {
    this.#perMs = perSecond / 1_000;
    this.#most = most;
    this.#tokens = most;
    this.#at = now;
  }

  /** Whether one more is within the rate at this time. */
  take(now: number): boolean {
    this.#tokens = Math.min(this.#most, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
