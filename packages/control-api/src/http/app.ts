import { keyCheck } from '@steward/service-kit/http/bearer';
import { createHttpServer, type HttpServer } from '@steward/service-kit/http/http-server';
import { requestLines } from '@steward/service-kit/http/request-log';
import type { Logger } from '@steward/service-kit/log/logger';
import type { Secret } from '@steward/service-kit/secret';
import type { Audit } from '../audit/audit.ts';
import { ChatRelay } from '../chat/chat-relay.ts';
import type { ChatRelayLimits } from '../chat/limits.ts';
import { EventTexts } from '../events/event-frames.ts';
import { EventStreams } from '../events/event-streams.ts';
import { Seats } from '../events/seats.ts';
import { WaitingReads } from '../events/waiting-reads.ts';
import { ownerBy } from '../keys/caller.ts';
import { farmView } from '../status/farm-view.ts';
import { StateNews } from './bodies/state-news.ts';
import { stateReads } from './bodies/state-reads.ts';
import { addEndpoints } from './endpoints/add-endpoints.ts';
import type { Handlers } from './endpoints/handler.ts';
import { authenticate, KeyGuard, nameCallers } from './guards/authentication.ts';
import { allowOrigins, type BrowserRules, refuseOtherSites, varyByOrigin } from './guards/browsers.ts';
import { type AttemptLimit, limitWrites, writeLimit } from './guards/limits.ts';
import { refuseBodies } from './guards/no-bodies.ts';
import { auditHandlers } from './handlers/audit.ts';
import { backupHandlers } from './handlers/backups.ts';
import { chatHandlers } from './handlers/chat.ts';
import { documentHandlers } from './handlers/documents.ts';
import { drainHandlers } from './handlers/drain.ts';
import { eventHandlers } from './handlers/events.ts';
import { farmhandHandlers } from './handlers/farmhands.ts';
import { farmsHandlers } from './handlers/farms.ts';
import { keyHandlers } from './handlers/keys.ts';
import { moderationHandlers } from './handlers/moderation.ts';
import { operationHandlers } from './handlers/operations.ts';
import type { HandlerParts } from './handlers/parts.ts';
import { playerHandlers } from './handlers/players.ts';
import { sampleHandlers } from './handlers/samples.ts';
import { scheduleHandlers } from './handlers/schedules.ts';
import { serverHandlers } from './handlers/server.ts';
import { settingsHandlers } from './handlers/settings.ts';
import { timeHandlers } from './handlers/time.ts';
import { webhookHandlers } from './handlers/webhooks.ts';
import { measureBackups } from './metrics/backup-metrics.ts';
import { measureChat, measureEvents, measureWebhooks } from './metrics/event-metrics.ts';
import { createMetrics } from './metrics/metrics.ts';
import { measureModeration, measureOwnership } from './metrics/ownership-metrics.ts';
import { measureRequests } from './metrics/request-metrics.ts';
import { measureSchedules } from './metrics/schedule-metrics.ts';
import { Documentation } from './openapi/documentation.ts';
import { compileParameters } from './parameters/check-parameters.ts';
import { readQuery } from './parameters/query-text.ts';
import { answerPolls } from './poll-fast-path.ts';
import { eventStreamHandlers, leaveStreamsAlone } from './streams/event-stream-route.ts';
import { webSocketHandlers } from './streams/web-socket-route.ts';
import { isChatUpgrade, refuseOtherUpgrades, takeUpgrades } from './streams/web-sockets.ts';

/** What the server is built from. */
export interface AppParts extends Omit<HandlerParts, 'reads'> {
  readonly logger: Logger;
  readonly key: Secret | undefined;
  readonly version: string;
  readonly browsers: BrowserRules;
  readonly trustedProxies: readonly string[];
  readonly writes?: AttemptLimit;
  readonly chatLimits: ChatRelayLimits;
  readonly audit: Audit;
}

/** Builds the server without listening. The gate's rules stand in the order in which they are asked. */
export async function buildApp(given: AppParts): Promise<HttpServer> {
  const { key, version, logger, clock, bridge, browsers, audit, trustedProxies, writes = writeLimit } = given;
  const parts = { ...given, reads: stateReads(given) };
  const server = createHttpServer(logger, {
    trustedProxies,
    readQuery,
    guide: '/docs lists all endpoints',
    lastWords: () => streams.close(),
    unreadable: (status) => countRefused(status),
    // So a page that may read answers can read that the server stops, too.
    first: (of) => allowOrigins(of, browsers.allowedOrigins),
  });
  server.setValidatorCompiler(compileParameters);
  // The wall clock may be set, and a minute would last for hours.
  const elapsed = () => clock.now();
  const keys =
    key === undefined
      ? undefined
      : new KeyGuard(ownerBy(keyCheck(key), given.keys), elapsed, logger, audit.refusals);
  const limits = given.chatLimits;
  const seats = new Seats(limits);
  const texts = new EventTexts(given.instance);
  const live = new StateNews({ bridge, view: farmView(given), clock });
  const relay = new ChatRelay({ bridge, live, keys, limits, seats, texts, clock, audit });
  const streams = new EventStreams({ events: bridge.events, live, keys, limits, texts, clock });
  const waitingReads = new WaitingReads({ events: bridge.events, keys: given.keys, clock });
  server.addHook('preClose', (done) => {
    waitingReads.close();
    done();
  });
  await takeUpgrades(server, relay, limits);
  nameCallers(server);
  if (keys === undefined) refuseOtherSites(server, browsers);
  // A WebSocket says its key in its first message: a browser cannot set the header on one.
  else authenticate(server, keys, isChatUpgrade);
  limitWrites(server, writes, elapsed);
  // Last: whoever is refused anyway need not be read.
  refuseBodies(server);

  const registry = createMetrics(given);
  measureOwnership(registry, given.ownership, bridge);
  measureModeration(registry, given.moderation);
  measureChat(registry, relay);
  measureEvents(registry, { seats, relay, streams });
  measureWebhooks(registry, given.webhooks);
  measureBackups(registry, given.backups, clock);
  measureSchedules(registry, given.schedules, given.emptiness);
  const { latencies, countRefused } = measureRequests(server, registry);
  refuseOtherUpgrades(server);
  const log = requestLines(logger);
  const handlers: Handlers = {
    ...serverHandlers(parts, registry),
    ...sampleHandlers(parts),
    ...auditHandlers(parts),
    ...playerHandlers(parts),
    ...moderationHandlers(parts),
    ...farmhandHandlers(parts),
    ...settingsHandlers(parts),
    listCabins: parts.reads.listCabins,
    ...timeHandlers(parts),
    ...operationHandlers(parts),
    ...chatHandlers(relay),
    ...eventHandlers({
      reads: waitingReads,
      instance: given.instance,
      keys: given.keys,
      clock,
      seats,
      guard: keys,
    }),
    ...keyHandlers(parts),
    ...webhookHandlers(parts),
    ...backupHandlers(parts),
    ...drainHandlers(parts),
    ...farmsHandlers(parts),
    ...scheduleHandlers(parts),
    ...webSocketHandlers(relay, version),
    ...eventStreamHandlers({ streams, seats, keys, clock, closeMs: limits.closeMs, log }),
    ...documentHandlers(new Documentation()),
  };
  addEndpoints(server, handlers, { operations: bridge.operations, clock, audit });
  const headers = browsers.allowedOrigins.size > 0 ? varyByOrigin : {};
  answerPolls(server, { handlers, keys, headers, log, latencies });
  leaveStreamsAlone(server);
  return server;
}
