import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@steward/service-kit/clock';
import { bearerToken } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { newRequestId } from '@steward/service-kit/http/request-id';
import { whyStrange } from '@steward/service-kit/http/strange-requests';
import type { AnsweredRequest } from '@steward/service-kit/log/request-lines';
import type { GameBridge } from '../game/game-bridge.ts';
import type { ShownSection } from '../game/state/bridge-state.ts';
import { jsonContentType, type PreparedAnswer } from './bodies/prepared-answer.ts';
import { snapshotAgeMs } from './bodies/snapshot-age.ts';
import { type StateAnswers, shownBy } from './bodies/state-answers.ts';
import type { LatencySeries, LatencySeriesOf } from './metrics/request-metrics.ts';

export interface PolledParts {
  readonly bridge: Pick<GameBridge, 'toldAt'>;
  readonly answers: StateAnswers;
  /** Undefined where no key is asked for. */
  readonly isKey: ((given: string) => boolean) | undefined;
  readonly clock: Clock;
  /** What the gate gives every answer, names and values in turn. */
  readonly headers: readonly string[];
  readonly log: (answered: AnsweredRequest) => void;
  readonly latencies: LatencySeriesOf;
}

interface PolledRead {
  readonly answer: () => PreparedAnswer;
  readonly shows: readonly ShownSection[];
  readonly latencies: LatencySeries;
}

/** Any of these makes a request one for the framework: it has rules for them. */
const notPlain = [
  'if-none-match',
  'x-request-id',
  'origin',
  'sec-fetch-site',
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
] as const;

/**
 * Answers the plain polls of panels and bots, which are nearly all requests, before the framework sees them: the bytes
 * lie ready, and a third of the time went into handing them through. Whatever is not plain, or would be refused, is
 * left to the framework; a test holds both ways equal.
 */
export function answerPolls(server: HttpServer, parts: PolledParts): void {
  const { server: http } = server;
  const reads = new Map<string, PolledRead>();
  for (const [path, answer] of parts.answers)
    reads.set(path, { answer, shows: shownBy[path], latencies: parts.latencies('GET', path, 200) });
  const framework = http.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  http.removeAllListeners('request');
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (http.listening && answerPoll(request, response, reads, parts)) return;
    for (const handle of framework) handle(request, response);
  });
}

function answerPoll(
  request: IncomingMessage,
  response: ServerResponse,
  reads: ReadonlyMap<string, PolledRead>,
  parts: PolledParts,
): boolean {
  const { method, url = '', headers } = request;
  if (method !== 'GET') return false;
  const read = reads.get(url);
  if (read === undefined || notPlain.some((name) => headers[name] !== undefined)) return false;
  if (whyStrange(request) !== undefined) return false;
  if (parts.isKey !== undefined) {
    const given = bearerToken(headers.authorization);
    if (given === undefined || !parts.isKey(given)) return false;
  }
  const started = performance.now();
  const { byteText, length, etag } = read.answer();
  const requestId = newRequestId();
  const ageMs = snapshotAgeMs(parts.bridge, read.shows, parts.clock);
  const head = [...parts.headers, 'x-request-id', requestId, 'etag', etag, 'cache-control', 'no-cache'];
  if (ageMs !== undefined) head.push('x-snapshot-age-ms', String(ageMs));
  head.push('content-type', jsonContentType, 'content-length', length);
  response.writeHead(200, head).end(byteText, 'latin1');
  const ms = performance.now() - started;
  parts.log({ requestId, status: 200, ms: Math.round(ms * 10) / 10, method, path: url });
  read.latencies.observe(ms / 1_000);
  return true;
}
