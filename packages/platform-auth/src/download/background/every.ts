import type { Clock, Timer } from '@steward/service-kit/clock';

/** Does something again and again, each time so long after the last; returns what ends it. */
export function every(clock: Pick<Clock, 'after'>, ms: number, action: () => void): () => void {
  let isEnded = false;
  let next: Timer | undefined;
  const later = (): void => {
    next = clock.after(ms, () => {
      action();
      if (!isEnded) later();
    });
  };
  later();
  return () => {
    isEnded = true;
    next?.cancel();
  };
}
