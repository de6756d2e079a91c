import type { HttpServer } from '@steward/service-kit/http/http-server';
import type { ChatRelay } from '../../chat/chat-relay.ts';
import { asyncApiDocument, asyncApiPath } from './async-api/document.ts';
import { webSocketRoute } from './web-socket-route.ts';
import { refuseOtherUpgrades } from './web-sockets.ts';

/** Adds `/ws` and its document to a server that takes upgrades. */
export function serveChat(server: HttpServer, relay: ChatRelay, version: string): void {
  refuseOtherUpgrades(server);
  webSocketRoute(server, relay);
  const document = asyncApiDocument(version);
  server.get(asyncApiPath, { schema: { hide: true } }, async () => document);
}
