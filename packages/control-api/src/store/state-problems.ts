import { Problem, type ProblemExtras } from '@steward/shared/problems/problem';
import { StoreError } from './tables/store-error.ts';

/** For `catch`: throws the Problem that says so where the database cannot be read, and what else it is as it is. */
export function unreadable(what: string, extras: ProblemExtras = {}): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof StoreError)) throw error;
    throw new Problem('state-unreadable', `${what}: ${error.message}`, extras);
  };
}

/** In which somebody may have made room. */
const roomSeconds = 5;

/** Nothing is done that cannot be stored. */
export function unwritable(detail: string, extras: ProblemExtras = {}): Problem {
  return new Problem(
    'state-unwritable',
    `${detail}. Free some space, let the service write to STATE_DIR, and send it again`,
    { ...extras, retry: true },
    { 'retry-after': String(roomSeconds) },
  );
}
