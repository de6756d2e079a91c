import { createHttpServer, type HttpServer } from '@steward/service-kit/http/http-server';
import { refuseOtherMethods, watchPaths } from '@steward/service-kit/http/other-methods';
import type { Logger } from '@steward/service-kit/log/logger';
import type { Secret } from '@steward/service-kit/secret';
import type { GameBridge } from './bridge/game-bridge.ts';
import { serveDocsPage } from './openapi/docs-page.ts';
import { describeApi } from './openapi/document.ts';
import { authenticate } from './plugins/authentication.ts';
import { operationRoutes } from './routes/operations.ts';
import { serverRoutes } from './routes/server.ts';

/** What the server is built from; tests build it from the same. */
export interface AppParts {
  readonly key: Secret | undefined;
  readonly version: string;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly bridge: Pick<GameBridge, 'state' | 'ticks' | 'operation'>;
}

/** Builds the server without listening. */
export async function buildApp({ key, version, logger, now, bridge }: AppParts): Promise<HttpServer> {
  const server = createHttpServer(logger);
  authenticate(server, key);
  const paths = watchPaths(server);
  await describeApi(server, version);
  await serveDocsPage(server);
  serverRoutes(server, now, bridge);
  operationRoutes(server, bridge);
  refuseOtherMethods(server, paths);
  return server;
}
