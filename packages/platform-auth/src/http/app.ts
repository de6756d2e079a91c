import { bearerToken, keyCheck } from '@steward/service-kit/http/bearer';
import { createHttpServer, type HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import type { Logger } from '@steward/service-kit/log/logger';
import type { Secret } from '@steward/service-kit/secret';
import { Problem } from '@steward/shared/problems/problem';
import type { GameUpdate } from '@steward/shared/sidecar/download';
import type { Contention, SessionStatus } from '@steward/shared/sidecar/health';
import type { FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { LobbyKeeper } from '../lobby/lobby-keeper.ts';
import type { Login } from '../session/login.ts';
import type { AppTickets, TicketAnswer } from '../tickets/app-tickets.ts';
import { refuseBrowsers } from './browsers.ts';
import { existingHealthRoute, existingPrefix, existingRoutes } from './existing/existing-routes.ts';
import { metricsRoute } from './metrics.ts';
import {
  appTicketRoute,
  type DownloadRouteParts,
  downloadRoutes,
  healthRoute,
  lobbyRoutes,
} from './routes.ts';

export interface AppParts {
  readonly secret: Secret | undefined;
  /** Whether the existing server's mod is answered, too. */
  readonly answersExisting?: boolean;
  readonly sessionStatus: () => SessionStatus;
  readonly contended: () => Contention | undefined;
  readonly login: () => Login | undefined;
  readonly keptTicket: () => TicketAnswer | undefined;
  readonly tickets: AppTickets;
  readonly keeper: LobbyKeeper;
  /** Told when the existing server's mod is given the lobby's id. */
  readonly givenToMod: () => void;
  readonly download: DownloadRouteParts;
  readonly gameUpdate: () => GameUpdate | undefined;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** The control API looks at these every two seconds, a container's health check at the first. */
const polledPaths = ['/health', '/platform/lobby', '/download'];

/** Builds the sidecar's server without listening. */
export function buildApp(parts: AppParts): HttpServer {
  const { answersExisting = false } = parts;
  const server = createHttpServer(parts.logger, { polledPaths });
  const { secret } = parts;
  const isSecret = secret === undefined ? undefined : keyCheck(secret);
  refuseBrowsers(server, (request) => isSecret?.(secretIn(request) ?? '') ?? false);
  authenticate(server, isSecret, (path) => answersExisting && path.startsWith(existingPrefix));
  if (answersExisting) existingHealthRoute(server, parts);
  else healthRoute(server, parts);
  appTicketRoute(server, parts);
  lobbyRoutes(server, parts);
  downloadRoutes(server, parts.download);
  metricsRoute(server, parts.registry);
  if (answersExisting) existingRoutes(server, parts);
  return server;
}

/** A container's health check has no secret, and /health says nothing that needs one. */
const publicPath = '/health';

/** Asks for the secret everywhere else, unknown paths included. Without a secret set, nobody is asked. */
function authenticate(
  server: HttpServer,
  isSecret: ((given: string) => boolean) | undefined,
  isGuardedOtherwise: (path: string) => boolean,
): void {
  if (isSecret === undefined) return;
  server.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request);
    if (path === publicPath || isGuardedOtherwise(path)) return;
    const given = secretIn(request);
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

function secretIn(request: FastifyRequest): string | undefined {
  return bearerToken(request.headers.authorization);
}
