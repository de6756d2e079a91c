import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { batchOf, type Logger } from '../log/logger.ts';

export const requestIdHeader = 'x-request-id';

const given = /^[A-Za-z0-9._:-]{1,128}$/;

/** Tells this process's ids from those of the one before, whose lines stand in the same log. */
const ofThisProcess = randomUUID().slice(0, 8);

let made = 0;

/** A number under the process's name: a fifth of what a random id costs, and a third of its length on every line. */
export function newRequestId(): string {
  made += 1;
  return `${ofThisProcess}-${made.toString(36)}`;
}

/** The caller's own id when it is fit to stand in a log line, else a new one. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && given.test(header) ? header : newRequestId();
}

const firstFailure = 400;

/** Refusals that whoever is behind them may not want to be known for: their lines say where they came from. */
const toldFrom: readonly number[] = [401, 403, 429];

/**
 * One line a request. Headers and query stay out of it: that is where keys and names travel. What machines ask for every
 * few seconds is only worth a line when it fails.
 */
export function logRequests(
  server: Pick<FastifyInstance, 'addHook'>,
  logger: Logger,
  polledPaths: readonly string[],
): void {
  const write = requestLines(logger);
  server.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const path = pathOf(request);
    const { method, id: requestId } = request;
    const status = reply.statusCode;
    if (method === 'GET' && status < firstFailure && polledPaths.includes(path))
      logger.debug({ requestId, status, ms }, `${method} ${path}`);
    else
      write({
        requestId,
        status,
        ms,
        method,
        path,
        client: toldFrom.includes(status) ? request.ip : undefined,
      });
    done();
  });
}

/** The path that was asked for, without its query. */
export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
  const query = request.url.indexOf('?');
  return query < 0 ? request.url : request.url.slice(0, query);
}

export interface AnsweredRequest {
  readonly requestId: string;
  readonly status: number;
  readonly ms: number;
  readonly method: string;
  readonly path: string;
  /** Where it came from, where that is worth telling. */
  readonly client?: string | undefined;
}

const levels = { debug: 20, info: 30 } as const;

/** Characters that JSON text cannot hold as they are, or that are rare enough to be left to JSON.stringify. */
const unsafe = /[^ !#-[\]-~]/;

/**
 * Something asks for the health every few seconds for as long as a service runs; that all is well is worth a line to
 * nobody but who looks for it.
 */
function levelOf({ path, status }: AnsweredRequest): 'debug' | 'info' {
  return path === '/health' && status === 200 ? 'debug' : 'info';
}

/**
 * Writes the line of an answered request. Every request has one, so a batched JSON log gets it as text that is put
 * together here, with the same members that pino would write and at a fraction of its time.
 */
export function requestLines(logger: Logger): (answered: AnsweredRequest) => void {
  const lines = batchOf(logger);
  if (lines === undefined) {
    return (answered) => {
      const { requestId, status, ms, client, method, path } = answered;
      logger[levelOf(answered)]({ requestId, status, ms, client }, `${method} ${path}`);
    };
  }
  const bindings = { pid: process.pid, hostname: hostname(), ...logger.bindings() };
  const bound = JSON.stringify(bindings).slice(1, -1);
  const time = currentTime();
  const message = lastMessage();
  return (answered) => {
    const level = levelOf(answered);
    if (!logger.isLevelEnabled(level)) return;
    const { requestId, status, ms, client, method, path } = answered;
    const from = client === undefined ? '' : `,"client":${JSON.stringify(client)}`;
    lines.lastLevel = levels[level];
    lines.write(
      `{"level":${levels[level]},"time":"${time()}",${bound},"requestId":"${requestId}","status":${status},"ms":${ms}${from},"msg":${message(method, path)}}\n`,
    );
  };
}

/** The message as JSON; the text is made once for as long as the same is asked for. */
function lastMessage(): (method: string, path: string) => string {
  let of = { method: '', path: '', text: '" "' };
  return (method, path) => {
    if (of.path !== path || of.method !== method) {
      const message = `${method} ${path}`;
      of = { method, path, text: unsafe.test(message) ? JSON.stringify(message) : `"${message}"` };
    }
    return of.text;
  };
}

/** The time in ISO 8601; the text is made once for each millisecond. */
function currentTime(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}
