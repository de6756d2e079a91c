import type { Clock } from './clock.ts';

/** Waits so long, or until the signal comes; whoever needs to know which of them it was asks the signal. */
export function pause(ms: number, clock: Pick<Clock, 'after'>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const over = (): void => {
      timer.cancel();
      // One signal may outlive thousands of pauses.
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = clock.after(ms, over);
    signal.addEventListener('abort', over);
  });
}
