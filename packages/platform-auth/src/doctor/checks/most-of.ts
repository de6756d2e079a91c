import { ok, type Result, warning } from '../finding.ts';
import type { Route } from '../route.ts';
import { errorCode } from '../what-went-wrong.ts';
import { unreachable } from './unreachable.ts';

/** The platform names many servers of a kind; a few tell whether they can be reached, and one is enough. */
export const mostTried = 3;

/** Reaches for each of several servers; `does` says what those do that were reached. */
export async function mostOf(
  urls: readonly [URL, ...URL[]],
  route: Route,
  does: string,
  reach: (url: URL) => Promise<unknown>,
): Promise<Result<true>> {
  const tries = await Promise.allSettled(urls.map(reach));
  const refusals = tries.filter((each) => each.status === 'rejected');
  const found = `${tries.length - refusals.length} of ${tries.length} ${does}`;
  const [refusal] = refusals;
  if (refusal === undefined) return ok(found, true);
  if (refusals.length < tries.length) return warning(found, 'None is needed while one does', true);
  return unreachable(urls[0], route, errorCode(refusal.reason));
}
