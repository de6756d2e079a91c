/** The action was not run in time, and never will be: thread and timeout race for it, and one of them gets it. */
export class GameThreadBlocked extends Error {}

/** How long the thread may take to come to what is asked of it. */
export interface ThreadBudgets {
  readonly actionMs: number;
  /** Of a deletion, which says so itself instead of failing as a whole. */
  readonly deletionMs: number;
  /** Of a line from a socket, which is dropped without a word. */
  readonly chatMs: number;
}

export const threadBudgets: ThreadBudgets = { actionMs: 5_000, deletionMs: 15_000, chatMs: 5_000 };

interface Queued {
  readonly run: () => void;
}

/** The one thread that may touch the game. Frozen, it runs nothing; what still waits when it thaws is run then. */
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

  /** As if it had not ticked for so long already. */
  pretendSilence(ms: number): void {
    this.#lastTick = performance.now() - ms;
  }

  thaw(): void {
    this.#isFrozen = false;
    this.tick();
  }

  /** Runs the action on the game's thread, or fails when that does not come to it within the budget. */
  run<Result>(action: () => Result, budgetMs: number): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(queued), 1);
      reject(new GameThreadBlocked());
    }, budgetMs);
    const run = (): void => {
      clearTimeout(timer);
      try {
        resolve(action());
      } catch (error) {
        reject(error);
      }
    };
    const queued = { run };
    if (this.#isFrozen) this.#queue.push(queued);
    else run();
    return promise;
  }
}
