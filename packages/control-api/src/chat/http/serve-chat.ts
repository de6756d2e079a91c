import type { HttpServer } from '@steward/service-kit/http/http-server';
import { asyncApiDocument, asyncApiPath } from '../async-api/document.ts';
import type { ChatRelayLimits } from '../limits.ts';
import { ChatRelay, type RelayParts } from '../relay/chat-relay.ts';
import { webSocketRoute } from './web-socket-route.ts';

export interface ChatParts extends Pick<RelayParts, 'bridge' | 'isKey' | 'clock'> {
  readonly limits: ChatRelayLimits;
  readonly version: string;
}

/** Adds `/ws` and its document to the server; the clients are told when the server stops. */
export function serveChat(
  server: HttpServer,
  { bridge, isKey, limits, clock, version }: ChatParts,
): ChatRelay {
  const relay = new ChatRelay({ bridge, isKey, limits, clock });
  webSocketRoute(server, relay, limits);
  const document = asyncApiDocument(version);
  server.get(asyncApiPath, { schema: { hide: true } }, async () => document);
  server.addHook('preClose', async () => relay.close());
  return relay;
}
