import { howItEnds, remedyFor } from '../commands/command-failure.ts';
import { type Failure, PlatformFailure } from '../session/failure.ts';
import { type Failed, failed } from './finding.ts';

/** As the libraries' agent words it. */
const proxyRefusal = /^Proxy CONNECT (\d{3})\b/;
const nothingForeign = /^[A-Z][A-Z0-9_]{2,40}$/;

/** The short name that Node and the system give to errors: all of an error that is fit to be pasted. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code = 'code' in error ? String(error.code) : undefined;
  if (code !== undefined && nothingForeign.test(code)) return code;
  if (error.cause instanceof Error) return errorCode(error.cause);
  const refusal = proxyRefusal.exec(error.message)?.[1];
  if (refusal !== undefined) return `the proxy answers ${refusal}`;
  return error.name === 'TimeoutError' ? 'ETIMEDOUT' : error.name;
}

/** Whatever a check threw. Foreign texts may quote what they were given, so only codes are told. */
export function whatWentWrong(error: unknown): { readonly finding: Failed } {
  if (error instanceof PlatformFailure) return platformFailed(error.failure);
  return failed('failure', `could not be looked at (${errorCode(error)})`, 'Report this line: it is a bug');
}

export function platformFailed(failure: Failure): { readonly finding: Failed } {
  return failed(howItEnds(failure), failure.reason, failure.remedy ?? remedyFor(failure));
}
