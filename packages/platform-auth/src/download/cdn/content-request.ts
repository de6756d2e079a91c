import type { Agent, IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import type { Clock, Timer } from '@steward/service-kit/clock';
import { get } from '@steward/service-kit/http/node-http';
import { codeInBrackets } from '@steward/service-kit/process/errors';
import { free } from '../decode/free.ts';

/** In each stretch of this length at least so much has to come: neither a dead line nor a crawl holds a chunk up. */
const stretchMs = 10_000;
const leastBytesAStretch = 4_096;
/** An error's body is read up to here, so that its connection can be used again; a longer one is not worth it. */
const mostErrorBytes = 65_536;

export interface ContentRequest {
  readonly url: URL;
  /** What the server wants to be called. */
  readonly hostName: string;
  readonly agent: Agent;
  /** What has to come; or at most so much, where nobody said how much there is. */
  readonly bytes: { readonly exactly: number } | { readonly atMost: number };
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told after each stretch in which enough came of something long. */
  readonly moves?: () => void;
}

/** One GET, once. Rejects with a RequestFailure, or the signal's reason. */
export function requestContent(request: ContentRequest): Promise<Uint8Array<ArrayBuffer>> {
  const { url, hostName, agent, clock, signal, moves } = request;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? getSecurely : get;
    // Redirects are not followed: no content server has any.
    const outgoing = send(url, { agent, headers: { host: hostName, 'accept-encoding': 'identity' } });
    const pace = new Pace(clock, moves, () => giveUp(new RequestFailure('unreachable', 'stood still')));
    const abort = () => giveUp(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const end = () => {
      pace.end();
      signal.removeEventListener('abort', abort);
    };
    const fail = (error: unknown) => {
      end();
      reject(signal.aborted ? signal.reason : asFailure(error));
    };
    // Whoever waits is told here: what is still on its way through a proxy says nothing of its end for a while.
    const giveUp = (error: unknown) => {
      outgoing.destroy();
      fail(error);
    };
    outgoing.on('error', fail);
    outgoing.on('response', (answer) => {
      answer.on('error', fail);
      const { statusCode = 0, headers } = answer;
      if (statusCode !== 200) {
        drain(answer);
        fail(failureOfStatus(statusCode, headers['retry-after'], clock.date()));
        return;
      }
      collect(answer, request, pace, (error, content) => {
        if (content === undefined) giveUp(error);
        else {
          end();
          resolve(content);
        }
      });
    });
  });
}

/** Gathers a body of a known length in one piece of memory, and never takes more than there should be. */
function collect(
  answer: IncomingMessage,
  { bytes }: ContentRequest,
  pace: Pace,
  done: (error: unknown, content?: Uint8Array<ArrayBuffer>) => void,
): void {
  const isExact = 'exactly' in bytes;
  const most = isExact ? bytes.exactly : bytes.atMost;
  const told = answer.headers['content-length'];
  if (told !== undefined && (isExact ? Number(told) !== most : Number(told) > most)) {
    done(new RequestFailure('damaged', `says that it has ${told} bytes`));
    return;
  }
  const length = isExact ? most : undefined;
  let content = new Uint8Array(length ?? 0);
  let at = 0;
  const pieces: Buffer[] = [];
  answer.on('data', (piece: Buffer) => {
    pace.came(piece.length);
    if (at + piece.length > most) done(new RequestFailure('damaged', 'has more bytes than it should'));
    else if (length === undefined) pieces.push(piece);
    else {
      content.set(piece, at);
      // Later: the parser still reads on in the same memory, which with a length told holds nothing of anybody else.
      if (told !== undefined) queueMicrotask(() => free(piece));
    }
    at += piece.length;
  });
  answer.on('end', () => {
    if (length === undefined) content = new Uint8Array(Buffer.concat(pieces));
    if (at < content.length) done(new RequestFailure('damaged', 'has fewer bytes than it should'));
    else done(undefined, content);
  });
}

function drain(answer: IncomingMessage): void {
  let bytes = 0;
  answer.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > mostErrorBytes) answer.destroy();
  });
}

function asFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  return new RequestFailure('unreachable', `cannot be reached${codeInBrackets(error)}`);
}

/** Watches that something comes. */
class Pace {
  readonly #clock: Clock;
  readonly #moves: (() => void) | undefined;
  readonly #stalled: () => void;
  #timer: Timer;
  #bytes = 0;

  constructor(clock: Clock, moves: (() => void) | undefined, stalled: () => void) {
    this.#clock = clock;
    this.#moves = moves;
    this.#stalled = stalled;
    this.#timer = clock.after(stretchMs, () => this.#look());
  }

  came(bytes: number): void {
    this.#bytes += bytes;
  }

  end(): void {
    this.#timer.cancel();
  }

  #look(): void {
    if (this.#bytes < leastBytesAStretch) {
      this.#stalled();
      return;
    }
    this.#bytes = 0;
    this.#moves?.();
    this.#timer = this.#clock.after(stretchMs, () => this.#look());
  }
}

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
