export interface BackoffSettings {
  readonly firstMs: number;
  readonly factor: number;
  readonly longestMs: number;
  /** What went well for this long was well: the next pause is the first one again. */
  readonly steadyMs: number;
}

/** Pauses that grow, each shortened by up to a half at random so that several services do not start in step. */
export class Backoff {
  readonly #settings: BackoffSettings;
  readonly #random: () => number;
  #next: number;

  constructor(settings: BackoffSettings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
    this.#next = settings.firstMs;
  }

  /** The pause before the next try of what went well for `steadyForMs`; 0 where it never did. */
  pause(steadyForMs: number): number {
    const { factor, firstMs, longestMs, steadyMs } = this.#settings;
    if (steadyForMs >= steadyMs) this.#next = firstMs;
    const full = this.#next;
    this.#next = Math.min(longestMs, full * factor);
    return Math.round(full * (1 - this.#random() / 2));
  }
}
