import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { ServerResponse } from '@steward/service-kit/http/node-http';

export const chatPath = '/ws';

export interface Upgrade {
  readonly socket: Duplex;
  /** What came behind the request's head. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The upgrade that this request asks for; a plain request asks for none. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return upgrades.get(request);
}

/**
 * Sends the upgrades of the chat's path through the server's own routes, so that whatever guards a request guards them
 * too. An upgrade to anything else is ignored, and the request answered as the plain one it can be.
 */
export function routeUpgrades(server: HttpServer): void {
  const { server: listener } = server as unknown as { server: Server & UpgradeDecision };
  listener.shouldUpgradeCallback = isChatUpgrade;
  listener.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(request.socket);
    response.once('finish', () => socket.end());
    // Only these are let past the question for the key: whichever listener this came by, the path decides.
    if (isChatUpgrade(request)) upgrades.set(request, { socket, head });
    server.routing(request, response);
  });
}

interface UpgradeDecision {
  shouldUpgradeCallback: (request: IncomingMessage) => boolean;
}

function isChatUpgrade({ url = '', headers }: IncomingMessage): boolean {
  const [path] = url.split('?', 1);
  return path === chatPath && headers.upgrade?.toLowerCase() === 'websocket';
}
