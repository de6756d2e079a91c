import { howItEnds, remedyFor } from '../commands/run/command-failure.ts';
import { causeOf } from '../platform/cause-of.ts';
import { type Failure, PlatformFailure } from '../platform/failure.ts';
import { type Failed, failed } from './finding.ts';

/** All of an error that is fit to be pasted. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const cause = causeOf(error);
  if (cause !== undefined) return cause;
  if (error.cause instanceof Error) return errorCode(error.cause);
  return error.name === 'TimeoutError' ? 'ETIMEDOUT' : error.name;
}

/** Whatever a check threw. Foreign texts may quote what they were given, so only codes are told. */
export function whatWentWrong(error: unknown): { readonly finding: Failed } {
  if (error instanceof PlatformFailure) return platformFailed(error.failure);
  return failed('failure', `could not be looked at (${errorCode(error)})`, 'Report this line: it is a bug');
}

export function platformFailed(failure: Failure): { readonly finding: Failed } {
  return failed(howItEnds(failure), failure.reason, failure.remedy ?? remedyFor(failure, 'Try again later'));
}
