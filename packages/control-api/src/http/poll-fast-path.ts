import type { IncomingMessage, ServerResponse } from 'node:http';
// As a global it is a getter, called anew by each poll.
import { performance } from 'node:perf_hooks';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { type AnsweredRequest, requestId, requestIdHeader } from '@steward/service-kit/http/request-log';
import { whyStrange } from '@steward/service-kit/http/strange-requests';
import { methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints, type PreparedId, preparedIds } from '@steward/shared/api/endpoints';
import type { Needed } from '@steward/shared/scopes';
import { anybody, may } from '../keys/caller.ts';
import { writePrepared } from './bodies/prepared-answer.ts';
import type { PreparedRead } from './bodies/state-reads.ts';
import type { Handlers } from './endpoints/handler.ts';
import type { KeyGuard } from './guards/authentication.ts';
import type { Latencies, LatencyHistogram } from './metrics/latency-histogram.ts';

export interface PollParts {
  readonly handlers: Pick<Handlers, PreparedId>;
  /** Undefined where no key is asked for. */
  readonly keys: Pick<KeyGuard, 'broughtBy'> | undefined;
  /** What the guards give every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: (answered: AnsweredRequest) => void;
  readonly latencies: LatencyHistogram;
}

interface Poll extends PreparedRead {
  readonly scope: Needed;
  readonly latencies: Readonly<Record<200 | 304, Latencies>>;
}

/** Any of these makes a request one for the framework: it has rules for them. */
const notPlain = [
  'origin',
  'sec-fetch-site',
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
] as const;

/**
 * Answers the plain polls of panels and bots, which are nearly all requests, before the framework sees them: what it and its hooks do
 * for each would take a fifth more of the processor. Whatever is not plain, or would be refused, is left to the framework; both
 * check the key and write the answer by the same functions, and a test holds them equal.
 */
export function answerPolls({ server: http }: HttpServer, parts: PollParts): void {
  const polls = new Map<string, Poll>();
  for (const id of preparedIds) {
    const { scope } = endpoints[id];
    const { path } = methodAndPath(endpoints[id]);
    const latencies = {
      200: parts.latencies.of('GET', path, 200),
      304: parts.latencies.of('GET', path, 304),
    };
    polls.set(path, { ...parts.handlers[id], scope, latencies });
  }
  const framework = http.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  const fixed = Object.entries(parts.headers).flat();
  http.removeAllListeners('request');
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (http.listening && answerPoll(request, response, polls, fixed, parts)) return;
    for (const handle of framework) handle(request, response);
  });
}

function answerPoll(
  request: IncomingMessage,
  response: ServerResponse,
  polls: ReadonlyMap<string, Poll>,
  fixed: readonly string[],
  { keys, log }: PollParts,
): boolean {
  const { method, url: path = '' } = request;
  if (method !== 'GET') return false;
  const poll = polls.get(path);
  if (poll === undefined) return false;
  const { headers } = request;
  if (notPlain.some((name) => headers[name] !== undefined) || whyStrange(request) !== undefined) return false;
  const caller = keys === undefined ? anybody : keys.broughtBy(headers.authorization);
  if (typeof caller !== 'object' || !may(caller, poll.scope)) return false;
  const started = performance.now();
  const id = requestId(headers[requestIdHeader]);
  const beside = fixed.concat(requestIdHeader, id);
  const status = writePrepared(request, response, poll.answer(caller), beside, poll.ageMs());
  const ms = performance.now() - started;
  log({ requestId: id, status, ms: Math.round(ms * 10) / 10, method, path });
  poll.latencies[status].observe(ms / 1_000);
  return true;
}
