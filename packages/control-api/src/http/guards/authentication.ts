import { bearerToken } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import { Problem } from '@steward/shared/problems/problem';
import { isChatUpgrade } from '../chat/web-sockets.ts';
import { clientOf } from './client-address.ts';
import type { KeyGuard } from './key-guard.ts';
import { isPublic } from './public-paths.ts';
import { tooMany } from './too-many.ts';

/** Asks for the key on every path that is not public. */
export function authenticate(server: HttpServer, keys: KeyGuard): void {
  server.addHook('onRequest', (request, _reply, done) => {
    // A WebSocket says its key in its first message: a browser cannot set this header on one.
    if (isPublic(pathOf(request)) || isChatUpgrade(request)) return done();
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
