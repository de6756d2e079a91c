// Ours: the relay and the streams behind the same HTTP server as in the service.
import type { AddressInfo } from 'node:net';
import { ChatRelay } from '@steward/control-api/chat/chat-relay';
import { allChatLimits } from '@steward/control-api/chat/limits';
import { EventTexts } from '@steward/control-api/events/event-frames';
import { EventStreams } from '@steward/control-api/events/event-streams';
import { Seats } from '@steward/control-api/events/seats';
import { keptEvents } from '@steward/control-api/game/bridge-events';
import { addEndpoints } from '@steward/control-api/http/endpoints/add-endpoints';
import { nameCallers } from '@steward/control-api/http/guards/authentication';
import { compileParameters } from '@steward/control-api/http/parameters/check-parameters';
import { readQuery } from '@steward/control-api/http/parameters/query-text';
import { eventStreamHandlers } from '@steward/control-api/http/streams/event-stream-route';
import { webSocketHandlers } from '@steward/control-api/http/streams/web-socket-route';
import { refuseOtherUpgrades, takeUpgrades } from '@steward/control-api/http/streams/web-sockets';
import { KeptEventLog } from '@steward/control-api/store/kept/event-log';
import { systemClock } from '@steward/service-kit/clock';
import { createHttpServer } from '@steward/service-kit/http/http-server';
import { createLogger } from '@steward/service-kit/log/logger';
import { chatEvent, epoch } from './chat-text.ts';
import { obey } from './driven-server.ts';

const noGame = { kind: 'unavailable', reason: 'there is no game here', retryAfterMs: 5_000 } as const;

const server = createHttpServer(
  createLogger('bench', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
  { readQuery, limits: { connections: 10_000 } },
);
const events = new KeptEventLog({
  kind: keptEvents,
  clock: systemClock,
  newEpoch: () => epoch,
  failed: () => {},
});
const limits = allChatLimits({
  connections: 10_000,
  connectionsPerAddress: 10_000,
  unauthenticated: 10_000,
  messagesPerSecond: 5,
  unreadBytes: 1024 * 1024,
  // No ping falls into the bytes that are counted.
  pingMs: 3_600_000,
});
const link = { status: 'live', since: systemClock.date(), reason: 'a bench' } as const;
const bridge = {
  events,
  run: async () => noGame,
  state: { link, sections: {}, isWhole: true, version: 1 },
};
// Nobody says anything here that would have a line.
const audit = {
  begin: () => ({
    noted: async () => undefined,
    carry: <Result>(work: () => Promise<Result>) => work(),
    ended: async () => {},
  }),
  whyNot: () => undefined,
};
const seats = new Seats(limits);
const texts = new EventTexts('');
const clock = systemClock;
const keys = undefined;
const live = { follow: () => () => {} };
const relay = new ChatRelay({ bridge, live, keys, limits, seats, texts, clock, audit });
// No beat falls into the bytes that are counted, however long the rounds take.
const beatless = { ...clock, after: () => ({ cancel: () => {} }) };
const streams = new EventStreams({ events, live, keys, limits, texts, clock: beatless });
server.setValidatorCompiler(compileParameters);
nameCallers(server);
await takeUpgrades(server, relay, limits);
refuseOtherUpgrades(server);
const handlers = {
  ...webSocketHandlers(relay, '1.2.3'),
  ...eventStreamHandlers({ streams, seats, keys, clock, closeMs: limits.closeMs, log: () => {} }),
};
addEndpoints(server, handlers, {
  operations: { find: () => undefined },
  clock: systemClock,
  audit,
});
await server.listen({ host: '127.0.0.1', port: 0 });
obey((server.server.address() as AddressInfo).port, () => {
  events.append(chatEvent);
});
