import { readFileSync } from 'node:fs';
import { quantile } from './quantile.ts';

const everyMs = 1;

/**
 * How long the event loop of this thread takes to come round, less what it waits for a processor that others have: unlike Node's own
 * histogram, it tells a thread that is blocked from a machine that is busy.
 */
export class LoopDelay implements Disposable {
  readonly #waitedMs: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #turnsMs: number[] = [];

  constructor(waitedMs = waitedForProcessorMs) {
    this.#waitedMs = waitedMs;
    let before = this.#ownMs();
    this.#timer = setInterval(() => {
      const now = this.#ownMs();
      this.#turnsMs.push(now - before);
      before = now;
    }, everyMs);
  }

  /** Of a hundred turns, so many took no longer. */
  percentileMs(percent: number): number {
    return quantile(this.#turnsMs, percent / 100);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #ownMs(): number {
    return performance.now() - this.#waitedMs();
  }
}

/** How long this thread was ready to run while others ran. */
export function waitedForProcessorMs(): number {
  const [, waitedNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(waitedNs) / 1e6;
}
