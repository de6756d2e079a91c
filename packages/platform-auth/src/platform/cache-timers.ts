import timers from 'node:timers';

/**
 * The timers of a client's caches. It starts new ones whenever it is made, connects or has been disconnected, and never stops any:
 * they would hold the caches for ever, and through what is in them the client itself.
 */
export class CacheTimers {
  #running: readonly NodeJS.Timeout[] = [];
  #isOver = false;

  /** What `work` starts takes the place of what ran before. */
  startedBy<T>(work: () => T): T {
    const { setInterval } = timers;
    const started: NodeJS.Timeout[] = [];
    const noting: typeof setInterval = Object.assign((...how: Parameters<typeof setInterval>) => {
      const timer = setInterval(...how);
      started.push(timer);
      return timer;
    }, setInterval);
    timers.setInterval = noting;
    try {
      return work();
    } finally {
      timers.setInterval = setInterval;
      this.#stop();
      this.#running = started;
      if (this.#isOver) this.#stop();
    }
  }

  /** From now on none runs, whatever is started. */
  end(): void {
    this.#isOver = true;
    this.#stop();
  }

  #stop(): void {
    for (const timer of this.#running) clearInterval(timer);
  }
}
