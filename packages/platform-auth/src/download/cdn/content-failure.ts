/** Why one request for content failed, which decides what is tried next. */
export type FailureKind =
  /** No connection, or one that broke, stood still or crept. */
  | 'unreachable'
  /** 429 and 5xx: the server is there, and has too much to do. */
  | 'busy'
  /** 401 and 403: not without a token, or not here at all. */
  | 'refused'
  /** 404: others may have it. */
  | 'missing'
  /** It came, and is not what it should be. */
  | 'damaged';

/** One request that brought no content. */
export class RequestFailure extends Error {
  readonly kind: FailureKind;
  readonly status: number | undefined;
  /** How long the server wants to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    details: { readonly status?: number; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.name = 'RequestFailure';
    this.kind = kind;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** A server that asks for hours has in truth gone away; others, or the end of patience, decide then. */
const longestRetryAfterMs = 120_000;

export function failureOfStatus(status: number, retryAfter: string | undefined, now: Date): RequestFailure {
  const message = `answered ${status}`;
  if (status === 401 || status === 403) return new RequestFailure('refused', message, { status });
  if (status === 429 || status >= 500)
    return new RequestFailure('busy', message, { status, retryAfterMs: readRetryAfter(retryAfter, now) });
  return new RequestFailure('missing', message, { status });
}

/** Seconds, or a date. */
function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestRetryAfterMs);
}
