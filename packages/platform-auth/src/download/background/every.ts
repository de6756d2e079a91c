import type { Clock } from '../../clock.ts';

/** Does something again and again, each time so long after the last; returns what ends it. */
export function every(clock: Pick<Clock, 'after'>, ms: number, action: () => void): () => void {
  let isEnded = false;
  let cancel = (): void => {};
  const later = (): void => {
    cancel = clock.after(ms, () => {
      action();
      if (!isEnded) later();
    });
  };
  later();
  return () => {
    isEnded = true;
    cancel();
  };
}
