import type { Clock } from '@steward/service-kit/clock';

/** No wait gets shorter than this, or looking at the disk would be all that a service does. */
const shortestWaitMs = 20;

/** Waits of minutes that last milliseconds. */
export function fastClock(speed: number): Clock {
  return {
    now: () => performance.now() * speed,
    date: () => new Date(),
    after(ms, action) {
      const timer = setTimeout(action, Math.max(ms / speed, shortestWaitMs));
      return { cancel: () => clearTimeout(timer) };
    },
  };
}
