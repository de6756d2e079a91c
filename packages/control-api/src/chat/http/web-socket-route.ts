import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { clientOf } from '../../gate/client-address.ts';
import { routeSchema } from '../../openapi/route-schema.ts';
import type { ChatRelayLimits } from '../limits.ts';
import type { Breach, Refusal } from '../relay/chat-counts.ts';
import type { ChatRelay } from '../relay/chat-relay.ts';
import { pongFrame, SocketChannel } from './socket-channel.ts';
import { chatPath, routeUpgrades, type Upgrade, upgradeOf } from './upgrades.ts';

/** What a refused client is told to wait. */
const retryAfterSeconds = 5;

const schema = routeSchema({
  operationId: 'openWebSocket',
  summary: 'Real-time messages, by WebSocket upgrade',
  description:
    'Speaks WebSocket; see /api-spec/v1/async-api.json. An upgrade needs no key: the first message brings it, and a header does not count. Without an upgrade it is 426.',
  tag: 'Server',
  keyMayWait: true,
  answers: { 101: z.undefined().meta({ description: 'WebSocket from here on' }) },
  problems: ['upgrade-required', 'too-many-connections'],
});

const plainRequest = new Problem(
  'upgrade-required',
  'This path speaks WebSocket: connect with a WebSocket client',
  {},
  { upgrade: 'websocket' },
);

const refusals: Readonly<Record<Refusal, Problem>> = {
  connections: refusal('too-many-connections', 'The server holds as many chat connections as it may'),
  'connections-per-address': refusal(
    'too-many-requests',
    'Too many chat connections from this address: close some of them',
  ),
};

function refusal(code: ProblemCode, detail: string): Problem {
  return new Problem(code, detail, { retry: true }, { 'retry-after': String(retryAfterSeconds) });
}

/** `GET /ws`: speaks WebSocket, on the same port as everything else. */
export function webSocketRoute(server: HttpServer, relay: ChatRelay, limits: ChatRelayLimits): void {
  const webSockets = new WebSocketServer(webSocketOptions(limits));
  // The listener's own cap is meant for requests; chat connections have theirs.
  server.server.maxConnections += limits.connections;
  routeUpgrades(server);
  server.get(chatPath, { schema }, (request, reply) => {
    const upgrade = upgradeOf(request.raw);
    if (upgrade === undefined) throw plainRequest;
    const address = clientOf(request.ip);
    const why = relay.refuse(address);
    if (why !== undefined) throw refusals[why];
    reply.hijack();
    detach(request.raw, reply.raw);
    webSockets.handleUpgrade(request.raw, request.raw.socket, upgrade.head, (webSocket) => {
      relayTo(webSocket, upgrade, relay, address);
    });
  });
}

function webSocketOptions(limits: ChatRelayLimits) {
  return {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // The relay answers pings itself, so that they are counted and bounded like messages.
    autoPong: false,
    maxPayload: limits.messageBytes,
    maxFragments: limits.fragments,
    maxBufferedChunks: limits.pieces,
    closeTimeout: limits.closeMs,
  };
}

/** From here on the library writes to the socket, not the HTTP answer. */
function detach({ socket }: IncomingMessage, response: ServerResponse): void {
  response.removeAllListeners('finish');
  response.detachSocket(socket);
}

/** The library's words for those that are counted apart. */
const breaches: Readonly<Record<string, Breach>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'too-big',
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: 'too-big',
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 'fragments',
};

function relayTo(webSocket: WebSocket, { socket }: Upgrade, relay: ChatRelay, address: string): void {
  const connection = relay.open(new SocketChannel(webSocket, socket), address);
  webSocket.on('message', (data, isBinary) => connection.message(data as Buffer, isBinary));
  webSocket.on('ping', (data) => connection.ping(pongFrame(data)));
  webSocket.on('pong', () => connection.pong());
  webSocket.on('error', ({ code = '' }: Error & { code?: string }) =>
    connection.broken(breaches[code] ?? 'protocol'),
  );
  webSocket.on('close', () => relay.gone(connection));
}
