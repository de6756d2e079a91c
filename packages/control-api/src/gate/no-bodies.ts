import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';

/** No route here takes a body. One that is sent anyway holds parameters that would silently count for nothing. */
export function refuseBodies(server: HttpServer): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if ((length === undefined || length === '0') && encoding === undefined) return done();
    if (request.is404) return done();
    // What was not read would otherwise be taken for the next request.
    reply.header('connection', 'close');
    done(new Problem('unexpected-body', 'Send parameters in the query string, and no body'));
  });
}
