import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Logger, readyLines } from '../log/logger.ts';
import { forTerminal } from '../text/terminal.ts';

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

/**
 * Something asks for the health every few seconds for as long as a service runs; that all is well is worth a line to
 * nobody but who looks for it.
 */
function levelOf({ path, status }: AnsweredRequest): 'debug' | 'info' {
  return path === '/health' && status === 200 ? 'debug' : 'info';
}

/** Writes the line of an answered request; every request has one. */
export function requestLines(logger: Logger): (answered: AnsweredRequest) => void {
  const writeReady = readyLines(logger);
  return (answered) => {
    const { requestId, status, ms, client, method, path } = answered;
    const message = `${method} ${path}`;
    const level = levelOf(answered);
    if (writeReady === undefined || level !== 'info' || client !== undefined)
      logger[level]({ requestId, status, ms, client }, message);
    else {
      // No request has an id that JSON would write otherwise.
      const shown = forTerminal(JSON.stringify(message));
      writeReady(`"requestId":"${requestId}","status":${status},"ms":${ms},"msg":${shown}`);
    }
  };
}
