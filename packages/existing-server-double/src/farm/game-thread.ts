/** The action was not run in time. It may still be run later: there is no claim on this wire. */
export class GameThreadBlocked extends Error {}

interface Queued {
  readonly run: () => void;
}

/** The one thread that may touch the game. Frozen, it runs nothing, and what is queued meanwhile runs when it thaws. */
export class GameThread {
  readonly #queue: Queued[] = [];
  #isFrozen = false;
  #ticks = 0;
  #lastTick: number | undefined;

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  get pending(): number {
    return this.#queue.length;
  }

  get ticks(): number {
    return this.#ticks;
  }

  get lastTickMs(): number | undefined {
    return this.#lastTick === undefined ? undefined : Math.round(performance.now() - this.#lastTick);
  }

  tick(): void {
    if (this.#isFrozen) return;
    this.#ticks += 1;
    this.#lastTick = performance.now();
    for (const { run } of this.#queue.splice(0)) run();
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    this.tick();
  }

  /** Runs the action on the game's thread, or fails when that does not come to it within the budget. */
  run<Result>(action: () => Result, budgetMs: number): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const timer = setTimeout(() => reject(new GameThreadBlocked()), budgetMs);
    const run = (): void => {
      clearTimeout(timer);
      try {
        resolve(action());
      } catch (error) {
        reject(error);
      }
    };
    if (this.#isFrozen) this.#queue.push({ run });
    else run();
    return promise;
  }
}
