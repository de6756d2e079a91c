/** What can happen to the loop itself: it hangs while the socket lives on, or the whole program stands still. */
export const stalls = ['stuck-tick', 'freeze'] as const;

export type Stall = (typeof stalls)[number];

/** Ends by itself: whoever has frozen a program cannot ask it for anything. */
export class Stalls {
  readonly #onChange: (stall: Stall, on: boolean) => void;
  readonly #timers = new Map<Stall, NodeJS.Timeout>();

  constructor(onChange: (stall: Stall, on: boolean) => void) {
    this.#onChange = onChange;
  }

  get any(): boolean {
    return this.#timers.size > 0;
  }

  start(stall: Stall, milliseconds: number): void {
    clearTimeout(this.#timers.get(stall));
    this.#timers.set(
      stall,
      setTimeout(() => this.end(stall), milliseconds),
    );
    this.#onChange(stall, true);
  }

  end(stall: Stall): void {
    clearTimeout(this.#timers.get(stall));
    if (this.#timers.delete(stall)) this.#onChange(stall, false);
  }

  endAll(): void {
    for (const stall of stalls) this.end(stall);
  }
}
