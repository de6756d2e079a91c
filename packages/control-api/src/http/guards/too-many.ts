import { Problem } from '@steward/shared/problems/problem';

export function tooMany(what: string, waitSeconds: number): Problem {
  return new Problem(
    'too-many-requests',
    `Too many ${what} from this address: try again in ${waitSeconds} seconds`,
    { retry: true },
    { 'retry-after': String(waitSeconds) },
  );
}
