import type { FastifyInstance, FastifyRequest } from 'fastify';

/** One line a request. Headers and query stay out of it: that is where keys and names travel. */
export function logRequests(server: Pick<FastifyInstance, 'addHook'>): void {
  server.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ status: reply.statusCode, ms }, `${request.method} ${pathOf(request)}`);
  });
}

/** The path that was asked for, without its query. */
export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
  const query = request.url.indexOf('?');
  return query < 0 ? request.url : request.url.slice(0, query);
}
