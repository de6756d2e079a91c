import type { Clock } from '@steward/service-kit/clock';
import { PlatformFailure } from './failure.ts';

/**
 * The library forgets requests that stay unanswered, so nothing it promises is waited for without a deadline. An answer that
 * comes after it is dropped.
 */
export function withDeadline<T>(promise: Promise<T>, ms: number, what: string, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => {
      reject(
        new PlatformFailure({
          class: 'transient',
          reason: `The platform did not answer ${what} within ${ms / 1000} s`,
          noAnswer: true,
        }),
      );
    });
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}
