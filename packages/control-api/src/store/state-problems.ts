import { Problem, type ProblemExtras } from '@steward/shared/problems/problem';
import { StoreError } from './tables/store-error.ts';

/** In so many seconds somebody may have made room, or who keeps the database locked may be done. */
const again = { 'retry-after': '5' };

/** For `catch`: throws the Problem that says so where the database cannot be read, and what else it is as it is. */
export function unreadable(what: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof StoreError)) throw error;
    const detail = `${what}: ${error.message}`;
    if (error.failure === 'busy') throw new Problem('state-unreadable', detail, { retry: true }, again);
    throw new Problem('state-unreadable', detail);
  };
}

/** Nothing is done that cannot be stored. */
export function unwritable(detail: string, extras: ProblemExtras = {}): Problem {
  return new Problem(
    'state-unwritable',
    `${detail}. Free some space, let the service write to STATE_DIR, and send it again`,
    { ...extras, retry: true },
    again,
  );
}
