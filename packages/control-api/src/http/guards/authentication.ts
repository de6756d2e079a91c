import { bearerToken } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest } from 'fastify';
import { clientOf } from './client-address.ts';
import type { KeyGuard } from './key-guard.ts';
import { isPublic } from './public-paths.ts';
import { tooMany } from './too-many.ts';

/** Asks for the key on every path that is not public, but for what says it later. */
export function authenticate(
  server: HttpServer,
  keys: KeyGuard,
  saysItLater: (request: FastifyRequest) => boolean,
): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (isPublic(pathOf(request)) || saysItLater(request)) return done();
    const given = bearerToken(request.headers.authorization);
    if (given !== undefined && keys.isKey(given)) return done();
    if (given !== undefined) {
      const waitSeconds = keys.wrong(clientOf(request.ip));
      if (waitSeconds !== undefined) return done(tooMany('wrong keys', waitSeconds));
    }
    const what =
      given === undefined ? 'Send the header Authorization: Bearer <API_KEY>' : 'The API key is wrong';
    done(new Problem('unauthorized', what, {}, { 'www-authenticate': 'Bearer' }));
  });
}
