import type { IncomingMessage, ServerResponse } from 'node:http';
import { bearerToken } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { newRequestId } from '@steward/service-kit/http/request-id';
import { whyStrange } from '@steward/service-kit/http/strange-requests';
import type { AnsweredRequest } from '@steward/service-kit/log/request-lines';
import { methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { jsonContentType } from './bodies/prepared-answer.ts';
import type { PreparedRead, StateReadId, StateReads } from './bodies/state-reads.ts';
import type { LatencySeries, LatencySeriesOf } from './metrics/request-metrics.ts';

export interface PolledParts {
  readonly reads: StateReads;
  /** Undefined where no key is asked for. */
  readonly isKey: ((given: string) => boolean) | undefined;
  /** What the gate gives every answer, names and values in turn. */
  readonly headers: readonly string[];
  readonly log: (answered: AnsweredRequest) => void;
  readonly latencies: LatencySeriesOf;
}

interface PolledRead extends PreparedRead {
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
  for (const [id, read] of Object.entries(parts.reads)) {
    const { path } = methodAndPath(endpoints[id as StateReadId]);
    reads.set(path, { ...read, latencies: parts.latencies('GET', path, 200) });
  }
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
  const ageMs = read.ageMs();
  const head = [...parts.headers, 'x-request-id', requestId, 'etag', etag, 'cache-control', 'no-cache'];
  if (ageMs !== undefined) head.push('x-snapshot-age-ms', String(ageMs));
  head.push('content-type', jsonContentType, 'content-length', length);
  response.writeHead(200, head).end(byteText, 'latin1');
  const ms = performance.now() - started;
  parts.log({ requestId, status: 200, ms: Math.round(ms * 10) / 10, method, path: url });
  read.latencies.observe(ms / 1_000);
  return true;
}
