import type { Problem } from './generated/api.ts';

export type ClientErrorCode = 'network' | 'timeout' | 'aborted' | 'not-steward';

/**
 * What a call can end with that is no word of Steward's.
 *
 * @internal For the page of the package.
 */
export const clientErrorCodes: Readonly<Record<ClientErrorCode, string>> = {
  network:
    'No complete answer: the server cannot be reached, the connection was cut, or, in a browser, `API_ALLOWED_ORIGINS` on the server does not list the page',
  timeout:
    'The call took longer than its `timeoutMs`; `cause` is the result of the last attempt, if one ended',
  aborted: 'Its `signal` ended the call',
  'not-steward': 'Another server answered: a proxy, a login page. `status` is its status',
};

/** Every code that an error can have; a newer server may know more of them. */
export type ErrorCode = ClientErrorCode | Problem['code'];

interface Told {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly operationId?: string | undefined;
  readonly applied?: false | null | undefined;
  readonly problem?: Problem | undefined;
  readonly cause?: unknown;
}

/** Why a call did not succeed. `code` is what to switch on, `detail` what to show. */
export class StewardError extends Error {
  override readonly name: 'StewardError' = 'StewardError';
  readonly code: ErrorCode;
  /** What went wrong this time, and what to do. */
  readonly detail: string;
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** How long the server asks to be left alone, where it does. */
  readonly retryAfterMs: number | undefined;
  /** Of a change that became an operation: `getOperation` tells what became of it. */
  readonly operationId: string | undefined;
  /** Of a change. `false`: it was not made, and never will be by this call. `null`: nobody knows. `undefined`: `code` says it. */
  readonly applied: false | null | undefined;
  /** Stands on the lines of the server's log, too. */
  readonly requestId: string | undefined;
  /** All that the server said of it. */
  readonly problem: Problem | undefined;

  constructor(code: ErrorCode, detail: string, told: Told = {}) {
    super(detail, told.cause === undefined ? undefined : { cause: told.cause });
    const { status, retryAfterMs, requestId, operationId, problem, applied } = told;
    this.code = code;
    this.detail = detail;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.operationId = problem?.operationId ?? operationId;
    this.applied = applied;
    this.requestId = problem?.requestId ?? requestId;
    this.problem = problem;
  }
}
