import { createHttpServer, type HttpServer } from '@steward/service-kit/http/http-server';
import { refuseOtherMethods, watchPaths } from '@steward/service-kit/http/other-methods';
import type { Logger } from '@steward/service-kit/log/logger';
import { healthRoute } from './http/health.ts';
import type { SessionStatus } from './session/session-status.ts';

export interface AppParts {
  readonly sessionStatus: () => SessionStatus;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Builds the sidecar's server without listening. */
export function buildApp({ sessionStatus, logger, now }: AppParts): HttpServer {
  const server = createHttpServer(logger);
  const paths = watchPaths(server);
  healthRoute(server, sessionStatus, now);
  refuseOtherMethods(server, paths);
  return server;
}
