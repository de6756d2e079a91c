import { errorCode } from '@steward/service-kit/process/errors';
import type { Trouble } from '@steward/shared/problems/trouble';

export const failureClasses = ['transient', 'rate-limited', 'replaced', 'dead-credential'] as const;

/** What a failure of the platform session means for what happens next. */
export type FailureClass = (typeof failureClasses)[number];

/**
 * Why there is no session, in words that hold no secret and may be shown to whoever asks. It has a remedy where that differs from
 * what the class always says.
 */
export interface Failure extends Trouble {
  readonly class: FailureClass;
  /** The platform's result code, where one came. */
  readonly eresult?: number;
  /** Nothing came from the platform at all: the way to it may be to blame. */
  readonly noAnswer?: true;
  /** Somebody at a terminal would get further: a second factor was asked for. */
  readonly wantsTerminal?: true;
}

/** A failure that time mends; any other wants a new credential. */
export type PassingFailure = Failure & { readonly class: Exclude<FailureClass, 'dead-credential'> };

export function passes(failure: Failure): failure is PassingFailure {
  return failure.class !== 'dead-credential';
}

/** A failure on its way up from the platform. */
export class PlatformFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reason);
    this.name = 'PlatformFailure';
    this.failure = failure;
  }
}

/** Whatever was thrown, as a failure. A library's own text may quote what it was given, so it stays out. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PlatformFailure) return error.failure;
  const code = errorCode(error);
  const network = code !== undefined && /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : '';
  return { class: 'transient', reason: `The platform cannot be reached${network}`, noAnswer: true };
}
