export const restartBackoff = {
  firstMs: 1_000,
  factor: 2,
  longestMs: 60_000,
  /** A game that ran this long was well: its next restart begins with the first pause again. */
  steadyMs: 60_000,
} as const;

export type BackoffSettings = { readonly [Name in keyof typeof restartBackoff]: number };

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

  /** The pause before the next start of a game that ran for `ranMs`. */
  pause(ranMs: number): number {
    const { factor, firstMs, longestMs, steadyMs } = this.#settings;
    if (ranMs >= steadyMs) this.#next = firstMs;
    const full = this.#next;
    this.#next = Math.min(longestMs, full * factor);
    return Math.round(full * (1 - this.#random() / 2));
  }
}
