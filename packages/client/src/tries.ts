import { StewardError } from './error.ts';
import type { Fetch, Signal } from './options.ts';

/** Time, and the chance that keeps a hundred bots from coming back at once. */
export interface Timing {
  readonly random: () => number;
  readonly now: () => number;
  /** Calls back after so long; returns what keeps it from doing so. */
  readonly after: (ms: number, action: () => void) => () => void;
}

/** What is used of a `WebSocket`. */
export interface Socket {
  onopen: unknown;
  onmessage: unknown;
  onclose: unknown;
  onerror: unknown;
  send(text: string): void;
  close(): void;
}

/** What a client takes from where it runs. */
export interface World extends Timing {
  readonly fetch: Fetch;
  /** Where there are sockets, and a `fetch` of the caller's own is not to be passed by. */
  readonly WebSocket: (new (url: string) => Socket) | undefined;
}

export interface Tries {
  readonly isWrite: boolean;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly signal: Signal | undefined;
}

/** A try got no word of Steward's, that nobody knows, or that of a mistake of the server, which comes at any point: it may have been carried out. */
interface Doubt {
  readonly operationId: string | undefined;
}

/** The wait before the second try doubles with each that follows. */
export const backoff = { firstMs: 500, longestMs: 8_000 } as const;

/** What proxies say where they, or the server behind them, cannot answer now. From 520 on these are Cloudflare's. */
export const passing: ReadonlySet<number | undefined> = new Set([
  408, 429, 502, 503, 504, 520, 521, 522, 523, 524, 530,
]);

/**
 * Tries until there is an answer for good, or no more time. Safe for whatever `once` asks, as reads change nothing and the server
 * carries out a write once under its key, however often it comes.
 */
export async function tried<T>(
  once: (until: AbortSignal) => Promise<T>,
  { isWrite, retries, timeoutMs, signal }: Tries,
  { random, now, after }: Timing,
): Promise<T> {
  const controller = new AbortController();
  let reject = (_error: StewardError) => {};
  const ended = new Promise<never>((_resolve, rejects) => {
    reject = rejects;
  });
  ended.catch(() => {});
  let mayBeDone = false;
  let doubt: Doubt | undefined;
  const end = (code: 'aborted' | 'timeout', detail: string, cause?: unknown) => {
    const applied = mayBeDone ? null : false;
    const error = new StewardError(code, detail, { cause, ...(isWrite ? { ...doubt, applied } : {}) });
    reject(error);
    controller.abort(error);
  };
  const abort = () => end('aborted', 'The call was ended by its signal', signal?.reason);
  const endsAt = now() + timeoutMs;
  let cancelPause = () => {};
  let last: StewardError | undefined;
  const cancelTimeout = after(timeoutMs, () =>
    end('timeout', `No final answer within ${timeoutMs} ms`, last),
  );
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();

  try {
    for (let retry = 0; ; retry += 1) {
      if (controller.signal.aborted) return await ended;
      try {
        mayBeDone = true;
        return await Promise.race([ended, once(controller.signal)]);
      } catch (error) {
        if (controller.signal.aborted) return await ended;
        if (!(error instanceof StewardError)) throw error;
        last = error;
        if (leavesDoubt(error)) doubt = { operationId: error.operationId ?? doubt?.operationId };
        mayBeDone = doubt !== undefined;
        const waitMs = waitFor(error, retry, random);
        const isOver = retry >= retries || !mayPass(error) || now() + waitMs >= endsAt;
        if (isOver) throw isWrite && doubt !== undefined ? inDoubt(error, doubt) : error;
        const paused = new Promise<void>((resolve) => {
          cancelPause = after(waitMs, resolve);
        });
        await Promise.race([ended, paused]);
      }
    }
  } finally {
    cancelTimeout();
    cancelPause();
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Whether another try may end otherwise. Under the same key an outcome that was unknown is told once the game has told it, and
 * what is void or refused for good stays so.
 */
function mayPass({ code, status, problem }: StewardError): boolean {
  if (problem === undefined) return code === 'network' || passing.has(status);
  return problem.retry === true || code === 'outcome-unknown';
}

/** The server's own wish counts, but for none; nobody comes at that very moment. */
export function waitFor({ retryAfterMs }: StewardError, retry: number, random: () => number): number {
  const halfMs = Math.min(backoff.firstMs * 2 ** retry, backoff.longestMs) / 2;
  return Math.max(retryAfterMs ?? halfMs, backoff.firstMs / 2) + random() * halfMs;
}

function leavesDoubt({ problem, applied, code }: StewardError): boolean {
  return applied !== false && (problem === undefined || applied === null || code === 'internal-error');
}

/** What was said last, where that is not of the very deed. */
function inDoubt(error: StewardError, doubt: Doubt): StewardError {
  if (error.applied !== undefined || error.operationId !== undefined) return error;
  const { code, detail, cause } = error;
  return new StewardError(code, detail, { ...error, ...doubt, cause, applied: null });
}
