import { type Clock, settledWithin } from '@steward/service-kit/clock';
import { PlatformFailure } from './failure.ts';

/** The library forgets requests that stay unanswered, so nothing it promises is waited for without a deadline. */
export function withDeadline<T>(promise: Promise<T>, ms: number, what: string, clock: Clock): Promise<T> {
  return settledWithin(
    promise,
    ms,
    clock,
    () =>
      new PlatformFailure({
        class: 'transient',
        reason: `The platform did not answer ${what} within ${ms / 1000} s`,
        noAnswer: true,
      }),
  );
}
