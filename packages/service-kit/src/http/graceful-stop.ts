import { Problem } from '@steward/shared/problems/problem';
import type { FastifyInstance } from 'fastify';

/** What a client is told to wait: about as long as a service takes to come back. */
const retryAfterSeconds = '5';

/**
 * Once the server is told to stop, requests in flight are finished and new ones, which can still come over connections
 * that are open, are refused.
 */
export function refuseWhileStopping(server: Pick<FastifyInstance, 'addHook'>): void {
  let stopping = false;
  server.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  server.addHook('onRequest', (_request, reply, done) => {
    if (!stopping) return done();
    reply.header('connection', 'close');
    done(
      new Problem(
        'shutting-down',
        'The server is stopping; try again soon',
        { retry: true },
        { 'retry-after': retryAfterSeconds },
      ),
    );
  });
}
