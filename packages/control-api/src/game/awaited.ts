import type { Clock } from '@steward/service-kit/clock';
import { bridgeTiming } from '@steward/shared/bridge/protocol';

/** One that has lost its connection, and is not ours, dials again sooner; one that has stopped does not. */
export const returnMs = 2 * bridgeTiming.redial;

/** Tells when there may be something new to see; returns what ends that. */
export type Follow = (changed: () => void) => () => void;

export interface Awaiting {
  readonly clock: Pick<Clock, 'after'>;
  readonly follow: Follow;
  readonly signal?: AbortSignal;
}

/** Whether it comes to pass within so long: looked at now, at each change, and at the end. Rejects with the signal's reason. */
export function comesToPass(
  look: () => boolean,
  ms: number,
  { clock, follow, signal }: Awaiting,
): Promise<boolean> {
  signal?.throwIfAborted();
  if (look() || ms <= 0) return Promise.resolve(look());
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      timer.cancel();
      unfollow();
      signal?.removeEventListener('abort', abort);
      settle();
    };
    const abort = () => end(() => reject(signal?.reason));
    const timer = clock.after(ms, () => end(() => resolve(look())));
    const unfollow = follow(() => {
      if (look()) end(() => resolve(true));
    });
    signal?.addEventListener('abort', abort);
  });
}
