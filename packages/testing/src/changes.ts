const patienceMs = 60_000;

export interface Patience {
  readonly withinMs?: number;
  /** What it says when that never came. */
  readonly missing: () => string;
}

/** Those who wait for something that tells when it changes: each looks again at every change, and not in between. */
export class Changes {
  readonly #waiting = new Set<() => void>();

  readonly told = (): void => {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  };

  /** Looks now and after each change, until `look` finds something. */
  async until<Found>(
    look: () => Found | undefined | Promise<Found | undefined>,
    { withinMs = patienceMs, missing }: Patience,
  ): Promise<Found> {
    const deadline = AbortSignal.timeout(withinMs);
    deadline.addEventListener('abort', this.told);
    for (;;) {
      // Awaited from before the look: what changes during it is not missed.
      const changed = new Promise<void>((resolve) => this.#waiting.add(resolve));
      const found = await look();
      if (found !== undefined) return found;
      if (deadline.aborted) throw new Error(missing());
      await changed;
    }
  }
}
