import { type Failure, PlatformFailure } from '../../platform/failure.ts';
import { causeOf } from '../../platform/unreachable.ts';
import { howItEnds, remedyFor } from '../run/command-failure.ts';
import type { ExitCodeName } from '../run/exit-codes.ts';

/** What a check found, in words that can be pasted anywhere: no name of an account, no id, no path, no host of the operator's. */
export type CheckFinding =
  | { readonly status: 'ok'; readonly found: string }
  | { readonly status: 'warning'; readonly found: string; readonly remedy: string }
  | Failed
  | { readonly status: 'skipped'; readonly found: string };

interface Failed {
  readonly status: 'failed';
  readonly found: string;
  readonly remedy: string;
  /** How a command ends that meets the same. */
  readonly end: ExitCodeName;
}

/** With a value, what builds on the check can go on. */
export interface Result<T> {
  readonly finding: CheckFinding;
  readonly value?: T;
}

export function ok<T>(found: string, value: T): Result<T> {
  return { finding: { status: 'ok', found }, value };
}

export function warning<T>(found: string, remedy: string, value: T): Result<T> {
  return { finding: { status: 'warning', found, remedy }, value };
}

export function failed(end: Failed['end'], found: string, remedy: string): { readonly finding: Failed } {
  return { finding: { status: 'failed', found, remedy, end } };
}

export function skipped(why: string): Result<never> {
  return { finding: { status: 'skipped', found: why } };
}

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
  return failed('failure', `could not be checked (${errorCode(error)})`, 'Report this line: it is a bug');
}

export function platformFailed(failure: Failure): { readonly finding: Failed } {
  return failed(howItEnds(failure), failure.reason, failure.remedy ?? remedyFor(failure, 'Try again later'));
}
