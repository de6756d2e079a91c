import { createHttpServer, type HttpServer } from '@steward/service-kit/http/http-server';
import { refuseOtherMethods, watchPaths } from '@steward/service-kit/http/other-methods';
import type { Logger } from '@steward/service-kit/log/logger';
import type { Secret } from '@steward/service-kit/secret';
import type { DownloadAnswer } from '@steward/shared/sidecar/download';
import type { GameUpdate } from '@steward/shared/sidecar/game-update';
import type { SessionStatus } from '@steward/shared/sidecar/health';
import type { Registry } from 'prom-client';
import { existingHealthRoute } from './existing/existing-health.ts';
import { existingPrefix, existingRoutes } from './existing/existing-routes.ts';
import { appTicketRoute } from './http/app-ticket.ts';
import { authenticate } from './http/authentication.ts';
import { downloadRoute } from './http/download.ts';
import { healthRoute } from './http/health.ts';
import { lobbyRoutes } from './http/lobby.ts';
import { metricsRoute } from './http/metrics.ts';
import type { LobbyKeeper } from './lobby/lobby-keeper.ts';
import type { Login } from './session/login.ts';
import type { TicketAnswer, TicketDesk } from './tickets/ticket-desk.ts';

export interface AppParts {
  readonly secret: Secret | undefined;
  /** Whether the existing server's mod is answered, too. */
  readonly answersExisting?: boolean;
  readonly sessionStatus: () => SessionStatus;
  readonly login: () => Login | undefined;
  readonly keptTicket: () => TicketAnswer | undefined;
  readonly desk: TicketDesk;
  readonly keeper: LobbyKeeper;
  readonly download: () => Promise<DownloadAnswer>;
  readonly gameUpdate: () => GameUpdate | undefined;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** The control API looks at these every two seconds, a container's health check at the first. */
const polledPaths = ['/health', '/platform/lobby'];

/** Builds the sidecar's server without listening. */
export function buildApp(parts: AppParts): HttpServer {
  const { answersExisting = false } = parts;
  const server = createHttpServer(parts.logger, { polledPaths });
  authenticate(server, parts.secret, (path) => answersExisting && path.startsWith(existingPrefix));
  const paths = watchPaths(server);
  if (answersExisting) existingHealthRoute(server, parts);
  else healthRoute(server, parts);
  appTicketRoute(server, parts);
  lobbyRoutes(server, parts);
  downloadRoute(server, parts.download);
  metricsRoute(server, parts.registry);
  if (answersExisting) existingRoutes(server, parts);
  refuseOtherMethods(server, paths);
  return server;
}
