import { bearerToken, keyCheck } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import type { Secret } from '@steward/service-kit/secret';
import { Problem } from '@steward/shared/problems/problem';

/** A container's health check has no secret, and /health says nothing that needs one. */
const publicPath = '/health';

/** Asks for the secret everywhere else, unknown paths included. Without a secret set, nobody is asked. */
export function authenticate(
  server: HttpServer,
  secret: Secret | undefined,
  isGuardedOtherwise: (path: string) => boolean = () => false,
): void {
  if (secret === undefined) return;
  const isSecret = keyCheck(secret);
  server.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request);
    if (path === publicPath || isGuardedOtherwise(path)) return;
    const given = bearerToken(request.headers.authorization);
    if (given !== undefined && isSecret(given)) return;
    reply.header('www-authenticate', 'Bearer');
    throw new Problem(
      'unauthorized',
      given === undefined
        ? 'Send the header Authorization: Bearer <PLATFORM_AUTH_SECRET>'
        : 'The secret is wrong: it must be the PLATFORM_AUTH_SECRET of the sidecar',
    );
  });
}
