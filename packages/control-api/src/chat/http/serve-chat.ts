import { keyCheck } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import type { Secret } from '@steward/service-kit/secret';
import type { ChatRelayLimits } from '../limits.ts';
import { ChatRelay, type RelayParts } from '../relay/chat-relay.ts';
import { webSocketRoute } from './web-socket-route.ts';

export interface ChatParts extends Pick<RelayParts, 'bridge' | 'clock'> {
  readonly key: Secret | undefined;
  readonly limits: ChatRelayLimits;
  /** By which a client's address is counted. */
  readonly countedAddress: (address: string) => string;
}

/** Adds `/ws` to the server; its clients are told when the server stops. */
export function serveChat(
  server: HttpServer,
  { bridge, key, limits, clock, countedAddress }: ChatParts,
): ChatRelay {
  const isKey = key === undefined ? undefined : keyCheck(key);
  const relay = new ChatRelay({ bridge, isKey, limits, clock });
  webSocketRoute(server, relay, limits, countedAddress);
  server.addHook('preClose', async () => relay.close());
  return relay;
}
