import type { HttpServer } from '@steward/service-kit/http/http-server';

const allowedHeaders = 'authorization, idempotency-key, if-none-match, x-request-id';
const exposedHeaders = 'etag, retry-after, x-request-id, x-snapshot-age-ms';

/** With allowed origins, an answer to one caller is not one to all. */
export const varyByOrigin = ['vary', 'origin'] as const;

/** How long a browser may remember what it was allowed. */
const rememberSeconds = 600;

/** Lets pages of the allowed origins, and no others, read answers; answers their browsers' questions beforehand. */
export function allowOrigins(server: HttpServer, allowedOrigins: ReadonlySet<string>): void {
  if (allowedOrigins.size === 0) return;
  server.addHook('onRequest', (request, reply, done) => {
    reply.header(...varyByOrigin);
    const { origin } = request.headers;
    if (origin === undefined || !allowedOrigins.has(origin)) return done();
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', exposedHeaders);
    const asked = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || asked === undefined || request.is404) return done();
    reply
      .header('access-control-allow-methods', 'GET, HEAD, POST, DELETE')
      .header('access-control-allow-headers', allowedHeaders)
      .header('access-control-max-age', rememberSeconds)
      .code(204)
      .send();
  });
}
