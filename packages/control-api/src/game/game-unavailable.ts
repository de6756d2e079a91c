import { Problem, type ProblemExtras } from '@steward/shared/problems/problem';

/** A wait that is long enough for a save or the end of a day to make progress. */
const usualSeconds = 5;

/** The game cannot do it now; the same request may succeed after so many seconds. */
export function gameUnavailable(
  detail: string,
  extras: ProblemExtras = {},
  seconds: number = usualSeconds,
): Problem {
  return new Problem(
    'game-unavailable',
    detail,
    { ...extras, retry: true },
    { 'retry-after': String(seconds) },
  );
}

/** Whoever started the game would start it again, or wonder where it has gone. */
export function gameRunning(which: string): Problem {
  return new Problem(
    'game-running',
    `${which}, and this service did not start it: stop it, try again, and start it when that is done`,
  );
}
