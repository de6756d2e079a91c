/** Often enough for whoever watches a long run to see that it lives, and not more. */
const everyMs = 60_000;

export interface ProgressParts {
  readonly mode: string;
  /** How many faults there will be. */
  readonly faults: number;
  readonly say: (line: string) => void;
  readonly now: () => number;
}

/** A line now and then of how far a run has come. */
export class Progress {
  readonly #parts: ProgressParts;
  readonly #startedMs: number;
  #toldMs: number;

  constructor(parts: ProgressParts) {
    this.#parts = parts;
    this.#startedMs = parts.now();
    this.#toldMs = this.#startedMs;
  }

  reached(counts: { readonly joins: number; readonly faults: number }): void {
    const { mode, faults, say, now } = this.#parts;
    const nowMs = now();
    if (nowMs - this.#toldMs < everyMs) return;
    this.#toldMs = nowMs;
    const minutes = Math.floor((nowMs - this.#startedMs) / 60_000);
    say(
      `chaos, ${mode}, after ${minutes} min: ${counts.joins} joins, ${counts.faults} of ${faults} faults\n`,
    );
  }
}
