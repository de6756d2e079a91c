import { keyCheck } from '@steward/service-kit/http/bearer';
import { createHttpServer, type HttpServer } from '@steward/service-kit/http/http-server';
import { refuseOtherMethods, watchPaths } from '@steward/service-kit/http/other-methods';
import { requestLines } from '@steward/service-kit/log/request-lines';
import type { Secret } from '@steward/service-kit/secret';
import { ChatRelay } from '../chat/chat-relay.ts';
import type { ChatRelayLimits } from '../chat/limits.ts';
import { stateAnswers } from './bodies/state-answers.ts';
import { serveChat } from './chat/serve-chat.ts';
import { isChatUpgrade, takeUpgrades } from './chat/web-sockets.ts';
import { authenticate, KeyGuard } from './guards/authentication.ts';
import { allowOrigins, type BrowserRules, refuseOtherSites, varyByOrigin } from './guards/browsers.ts';
import { type AttemptLimit, limitWrites, writeLimit } from './guards/limits.ts';
import { refuseBodies } from './guards/no-bodies.ts';
import { measureChat } from './metrics/chat-metrics.ts';
import { createMetrics, serveMetrics } from './metrics/metrics.ts';
import { measureOwnership } from './metrics/ownership-metrics.ts';
import { watchForDocumentation } from './openapi/documentation.ts';
import { readQuery } from './parameters/query-text.ts';
import { compileParameters } from './parameters/validator.ts';
import { answerPolls } from './poll-fast-path.ts';
import { cabinRoutes } from './routes/cabins.ts';
import { documentRoutes } from './routes/document.ts';
import { farmhandOwnerRoutes } from './routes/farmhand-owners.ts';
import { farmhandRoutes } from './routes/farmhands.ts';
import { operationRoutes } from './routes/operations.ts';
import type { RouteParts } from './routes/parts.ts';
import { playerRoutes } from './routes/players.ts';
import { serverRoutes } from './routes/server.ts';
import { settingsRoutes } from './routes/settings.ts';
import { timeRoutes } from './routes/time.ts';

/** What the server is built from. */
export interface AppParts extends Omit<RouteParts, 'answers'> {
  readonly key: Secret | undefined;
  readonly version: string;
  readonly browsers: BrowserRules;
  readonly trustedProxies: readonly string[];
  readonly writes?: AttemptLimit;
  readonly chatLimits: ChatRelayLimits;
}

/** Builds the server without listening. The gate's rules stand in the order in which they are asked. */
export async function buildApp(given: AppParts): Promise<HttpServer> {
  const { key, version, logger, clock, bridge, browsers, trustedProxies, writes = writeLimit } = given;
  const parts = { ...given, answers: stateAnswers(given) };
  const server = createHttpServer(logger, { trustedProxies, readQuery, guide: '/docs lists what there is' });
  server.setValidatorCompiler(compileParameters);
  // The wall clock may be set, and a minute would last for hours.
  const elapsed = () => clock.now();
  const keys = key === undefined ? undefined : new KeyGuard(keyCheck(key), elapsed, logger);
  const limits = given.chatLimits;
  const relay = new ChatRelay({ bridge, keys, limits, clock });
  await takeUpgrades(server, relay, limits);
  allowOrigins(server, browsers.allowedOrigins);
  if (keys === undefined) refuseOtherSites(server, browsers);
  // A WebSocket says its key in its first message: a browser cannot set the header on one.
  else authenticate(server, keys, isChatUpgrade);
  limitWrites(server, writes, elapsed);
  // Last: whoever is refused anyway need not be read.
  refuseBodies(server);

  const paths = watchPaths(server);
  const documentation = watchForDocumentation(server, version);
  serverRoutes(server, parts);
  const registry = createMetrics(given);
  measureOwnership(registry, given.ownership, bridge);
  const latencies = serveMetrics(server, registry);
  playerRoutes(server, parts);
  farmhandRoutes(server, parts);
  farmhandOwnerRoutes(server, parts);
  settingsRoutes(server, parts);
  cabinRoutes(server, parts);
  timeRoutes(server, parts);
  operationRoutes(server, parts);
  documentRoutes(server, documentation);
  serveChat(server, relay, version);
  measureChat(registry, relay);
  refuseOtherMethods(server, paths);
  const log = requestLines(logger);
  const headers = browsers.allowedOrigins.size > 0 ? varyByOrigin : {};
  answerPolls(server, { answers: parts.answers, keys, headers, log, latencies });
  return server;
}
