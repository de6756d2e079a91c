import { readFileSync } from 'node:fs';
import { quantile } from './quantile.ts';

const everyMs = 1;

/**
 * A clock in milliseconds that stands still while this thread is ready to run and others have the processor. Whatever the thread does or
 * is blocked by counts, a slow disk as well.
 */
export function ownMs(): number {
  for (let waited = waitedForProcessorMs(); ; ) {
    const at = performance.now();
    const now = waitedForProcessorMs();
    // Others had the processor between the two looks: that time would be taken off before it has passed.
    if (now === waited) return at - waited;
    waited = now;
  }
}

/**
 * How long the event loop of this thread takes to come round, less what it waits for a processor that others have: unlike Node's own
 * histogram, it tells a thread that is blocked from a machine that is busy.
 */
export class LoopDelay implements Disposable {
  readonly #timer: NodeJS.Timeout;
  readonly #turnsMs: number[] = [];

  constructor(now = ownMs) {
    let before = now();
    this.#timer = setInterval(() => {
      const at = now();
      this.#turnsMs.push(at - before);
      before = at;
    }, everyMs);
  }

  /** Of a hundred turns, so many took no longer. */
  percentileMs(percent: number): number {
    return quantile(this.#turnsMs, percent / 100);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function waitedForProcessorMs(): number {
  const [, waitedNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(waitedNs) / 1e6;
}
