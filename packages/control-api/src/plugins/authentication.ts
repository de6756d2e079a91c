import { bearerToken, keyCheck } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import type { Secret } from '@steward/service-kit/secret';
import { Problem } from '@steward/shared/problems/problem';
import { isPublic } from '../public-paths.ts';

/** Asks for the key on every path that is not public. Without a key set, nobody is asked. */
export function authenticate(server: HttpServer, key: Secret | undefined): void {
  if (key === undefined) return;
  const isKey = keyCheck(key);
  server.addHook('onRequest', async (request, reply) => {
    if (isPublic(pathOf(request))) return;
    const given = bearerToken(request.headers.authorization);
    if (given !== undefined && isKey(given)) return;
    reply.header('www-authenticate', 'Bearer');
    throw new Problem(
      'unauthorized',
      given === undefined ? 'Send the header Authorization: Bearer <API_KEY>' : 'The API key is wrong',
    );
  });
}
