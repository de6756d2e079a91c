import { type Clock, pause } from '@steward/service-kit/clock';
import { waitMs } from '../../platform/backoff.ts';
import { type Failure, PlatformFailure } from '../../platform/failure.ts';
import { NoTicket } from '../../tickets/app-tickets.ts';
import type { Interruption } from './interruption.ts';

/** What passes within seconds is worth so many tries, for so long: whoever runs a command can run it again. */
const mostTries = 4;
const patienceMs = 30_000;
const secondMs = 1_000;

export interface TryingParts {
  readonly clock: Clock;
  readonly interruption: Pick<Interruption, 'signal'>;
  /** Told why it is tried again, and when. */
  readonly say: (text: string) => void;
}

/** Does it again where the platform may well do it a moment later. What came in the end is as if it had come at once. */
export async function severalTries<T>(work: () => Promise<T>, parts: TryingParts): Promise<T> {
  const { clock, interruption, say } = parts;
  const until = clock.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const failure = failureOfPlatform(error);
      if (failure === undefined || !mayPass(failure)) throw error;
      const ms = Math.max(waitMs('transient', tries, 0), error instanceof NoTicket ? error.retryAfterMs : 0);
      if (tries === mostTries || clock.now() + ms > until) throw error;
      say(`${failure.reason}. Trying again in ${Math.ceil(ms / secondMs)} s`);
      await pause(ms, clock, interruption.signal);
      interruption.signal.throwIfAborted();
    }
  }
}

function failureOfPlatform(error: unknown): Failure | undefined {
  return error instanceof PlatformFailure || error instanceof NoTicket ? error.failure : undefined;
}

/** What somebody has to mend does not pass. */
function mayPass({ class: failureClass, remedy }: Failure): boolean {
  return failureClass === 'transient' && remedy === undefined;
}
