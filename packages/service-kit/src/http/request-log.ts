import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../log/logger.ts';

/**
 * One line a request. Headers and query stay out of it: that is where keys and names travel. Written straight to the
 * process's logger: a child of it for every request would cost more than the line.
 */
export function logRequests(server: Pick<FastifyInstance, 'addHook'>, logger: Logger): void {
  server.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    logger.info(
      { requestId: request.id, status: reply.statusCode, ms },
      `${request.method} ${pathOf(request)}`,
    );
    done();
  });
}

/** The path that was asked for, without its query. */
export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
  const query = request.url.indexOf('?');
  return query < 0 ? request.url : request.url.slice(0, query);
}
