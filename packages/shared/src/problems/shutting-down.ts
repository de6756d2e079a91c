import { Problem } from './problem.ts';

/** What a client is told to wait: about as long as a service takes to come back. */
const retryAfterSeconds = 5;

/** What a service that stops does not do any more; the one that comes after it does. */
export function shuttingDown(detail: string): Problem {
  return new Problem('shutting-down', detail, { retry: true }, { 'retry-after': String(retryAfterSeconds) });
}
