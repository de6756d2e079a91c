import { createHttpServer, type HttpServer } from '@steward/service-kit/http/http-server';
import { refuseOtherMethods, watchPaths } from '@steward/service-kit/http/other-methods';
import type { Secret } from '@steward/service-kit/secret';
import type { AttemptLimit } from './gate/attempts.ts';
import { authenticate } from './gate/authentication.ts';
import { refuseOtherSites } from './gate/browser-rules.ts';
import { allowOrigins } from './gate/cross-origin.ts';
import { refuseBodies } from './gate/no-bodies.ts';
import type { BrowserRules } from './gate/origin.ts';
import { limitWrites, writeLimit } from './gate/write-limit.ts';
import { createMetrics, serveMetrics } from './metrics/metrics.ts';
import { serveDocsPage } from './openapi/docs-page.ts';
import { describeApi } from './openapi/document.ts';
import { readQuery } from './parameters/query-text.ts';
import { compileParameters } from './parameters/validator.ts';
import { cabinRoutes } from './routes/cabins.ts';
import { documentRoute } from './routes/document.ts';
import { farmhandRoutes } from './routes/farmhands.ts';
import { operationRoutes } from './routes/operations.ts';
import type { RouteParts } from './routes/parts.ts';
import { playerRoutes } from './routes/players.ts';
import { serverRoutes } from './routes/server.ts';
import { settingsRoutes } from './routes/settings.ts';
import { timeRoutes } from './routes/time.ts';

/** What the server is built from; tests build it from the same. */
export interface AppParts extends RouteParts {
  readonly key: Secret | undefined;
  readonly version: string;
  readonly browsers: BrowserRules;
  readonly trustedProxies: readonly string[];
  readonly writes?: AttemptLimit;
}

/** Builds the server without listening. The gate's rules stand in the order in which they are asked. */
export async function buildApp(parts: AppParts): Promise<HttpServer> {
  const { key, version, logger, now, bridge, browsers, trustedProxies, writes = writeLimit } = parts;
  const server = createHttpServer(logger, { trustedProxies, readQuery });
  server.setValidatorCompiler(compileParameters);
  const clock = () => now().getTime();
  allowOrigins(server, browsers.allowedOrigins);
  if (key === undefined) refuseOtherSites(server, browsers);
  else authenticate(server, key, clock);
  refuseBodies(server);
  limitWrites(server, writes, clock);

  const paths = watchPaths(server);
  await describeApi(server, version);
  await serveDocsPage(server);
  serverRoutes(server, parts);
  serveMetrics(server, createMetrics(bridge));
  playerRoutes(server, parts);
  farmhandRoutes(server, parts);
  settingsRoutes(server, parts);
  cabinRoutes(server, parts);
  timeRoutes(server, parts);
  operationRoutes(server, parts);
  documentRoute(server);
  refuseOtherMethods(server, paths);
  return server;
}
