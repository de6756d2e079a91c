import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../log/logger.ts';
import { requestLines } from '../log/request-lines.ts';

/** One line a request. Headers and query stay out of it: that is where keys and names travel. */
export function logRequests(server: Pick<FastifyInstance, 'addHook'>, logger: Logger): void {
  const write = requestLines(logger);
  server.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    write({
      requestId: request.id,
      status: reply.statusCode,
      ms,
      method: request.method,
      path: pathOf(request),
    });
    done();
  });
}

/** The path that was asked for, without its query. */
export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
  const query = request.url.indexOf('?');
  return query < 0 ? request.url : request.url.slice(0, query);
}
