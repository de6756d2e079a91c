import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../log/logger.ts';
import { requestLines } from '../log/request-lines.ts';

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
