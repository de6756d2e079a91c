import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import webSocketPlugin, { type WebSocket } from '@fastify/websocket';
import { plainAddress } from '@steward/service-kit/http/addresses';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import { methodAndPath } from '@steward/shared/api/endpoint';
import { chatEndpoints } from '@steward/shared/api/endpoints/chat';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest } from 'fastify';
import type { Channel, ChatConnection } from '../../chat/chat-connection.ts';
import type { ChatRelay } from '../../chat/chat-relay.ts';
import type { Breach } from '../../chat/closings.ts';
import type { ChatRelayLimits } from '../../chat/limits.ts';

export const { path: chatPath } = methodAndPath(chatEndpoints.openWebSocket);

/** Whether this is an upgrade, and the chat's route takes it. */
export function isChatUpgrade({ ws, routeOptions }: Pick<FastifyRequest, 'ws' | 'routeOptions'>): boolean {
  return ws && routeOptions.url === chatPath;
}

/**
 * Sends the upgrades of `/ws` through the server's own hooks and routes, so that whatever guards a request guards them
 * too. Called before the hooks that have to know an upgrade.
 */
export async function takeUpgrades(
  server: HttpServer,
  relay: ChatRelay,
  limits: ChatRelayLimits,
): Promise<void> {
  // The listener's own cap is meant for requests; chat connections have theirs.
  server.server.maxConnections += limits.connections;
  Object.assign(server.server, { shouldUpgradeCallback: leavesHttp });
  // An answer to an upgrade is its last word. What was refused before the plugin saw it, nobody else would ever end.
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    if (hasLeftHttp(raw)) raw.socket.destroy();
    done();
  });
  await server.register(webSocketPlugin, {
    options: webSocketOptions(limits),
    errorHandler: tellOfError,
    preClose: (done) => {
      relay.close();
      done();
    },
  });
}

/** Refuses WebSockets on every path but the chat's, known or not. */
export function refuseOtherUpgrades(server: HttpServer): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const path = pathOf(request);
    if (!isWebSocket(request.headers) || path === chatPath) return done();
    done(new Problem('malformed-request', `${path} does not speak WebSocket: connect to ${chatPath}`));
  });
}

function isWebSocket({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase() === 'websocket';
}

/**
 * Whether a socket is handed over for good; everything else is answered as the plain request that it is. HTTP lets a
 * server pass over an upgrade, and some clients offer HTTP/2 with every request. One that does not wait for the answer
 * to what it asked before cannot be handed over.
 */
function leavesHttp({ method, url = '', headers, socket }: IncomingMessage): boolean {
  const [path] = url.split('?', 1);
  return path === chatPath && method === 'GET' && isWebSocket(headers) && !isAnswering(socket);
}

/** By Node's own mark of what it has handed over. */
function hasLeftHttp(request: IncomingMessage & { readonly upgrade?: boolean }): boolean {
  return request.upgrade === true;
}

/** By Node's own mark of the answer that a socket waits for. */
function isAnswering(socket: Socket & { readonly _httpMessage?: unknown }): boolean {
  return socket._httpMessage != null;
}

function webSocketOptions(limits: ChatRelayLimits) {
  return {
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

const connections = new WeakMap<WebSocket, ChatConnection>();

/** Hands a connection that is open to the relay, and what comes over it. */
export function relayTo(
  webSocket: WebSocket,
  request: FastifyRequest,
  relay: ChatRelay,
  address: string,
): void {
  const connection = relay.open(
    new SocketChannel(webSocket, request.raw.socket),
    address,
    plainAddress(request.ip),
  );
  connections.set(webSocket, connection);
  webSocket.on('message', (data, isBinary) => connection.message(data as Buffer, isBinary));
  webSocket.on('ping', (data) => connection.ping(pongFrame(data)));
  webSocket.on('pong', (data) => connection.pong(data));
  webSocket.on('close', () => relay.gone(connection));
}

/** The library's words for those that are counted apart. */
const breaches: Readonly<Record<string, Breach>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'too-big',
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: 'too-big',
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 'fragments',
};

/** The library has told the client by itself what it did wrong; a connection that nobody knows is a mistake of ours. */
function tellOfError(error: Error & { code?: string }, webSocket: WebSocket, { log }: FastifyRequest): void {
  const connection = connections.get(webSocket);
  connection?.broken(breaches[error.code ?? ''] ?? 'protocol');
  if (connection !== undefined) return;
  log.error({ err: error }, 'a WebSocket could not be accepted');
  webSocket.terminate();
}

const pongFinal = 0x8a;

/** Writes whole frames to the socket below the library, which would frame each text anew for each client. */
class SocketChannel implements Channel {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket;
  }

  get unread(): number {
    return this.#socket.writableLength;
  }

  write(frame: Buffer): boolean {
    // After a close frame nothing may follow; what is pretended to be taken is dropped.
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return true;
    return this.#socket.write(frame);
  }

  whenTaken(action: () => void): void {
    this.#socket.once('drain', action);
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  terminate(): void {
    this.#webSocket.terminate();
  }
}

/** The answer to a protocol ping, which carries the ping's own bytes: at most 125. */
function pongFrame(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([pongFinal, data.length]), data]);
}
