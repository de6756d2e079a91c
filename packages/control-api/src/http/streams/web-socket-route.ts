import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@steward/shared/problems/problem';
import type { ChatRelay, Refused } from '../../chat/chat-relay.ts';
import type { Handlers } from '../endpoints/handler.ts';
import { clientOf } from '../guards/client-address.ts';
import { noSeat } from '../guards/listening.ts';
import { relayTo } from './web-sockets.ts';

const plainRequest = new Problem(
  'upgrade-required',
  'This path speaks WebSocket: connect with a WebSocket client',
  {},
  { upgrade: 'websocket' },
);

function refusal({ limit, waitSeconds }: Refused): Problem {
  if (limit !== 'wrong-keys') return noSeat(limit);
  return new Problem(
    'too-many-requests',
    'Too many wrong keys from this address: wait, or send the right one in the header Authorization of the upgrade',
    { retry: true },
    { 'retry-after': String(waitSeconds) },
  );
}

/** `GET /ws`, on the same port as everything else, and the document that tells of it. */
export function webSocketHandlers(
  relay: ChatRelay,
  version: string,
): Pick<Handlers, 'openWebSocket' | 'getAsyncApi'> {
  let document: object | undefined;
  return {
    openWebSocket: {
      onRequest: ({ ws, headers, ip }, reply, done) => {
        if (!ws) return done();
        // Refused, the socket is of no more use.
        reply.header('connection', 'close');
        const bad = badHandshake(headers);
        if (bad !== undefined) return done(bad);
        const refused = relay.refuse(clientOf(ip), headers.authorization);
        done(refused && refusal(refused));
      },
      handler: () => {
        throw plainRequest;
      },
      wsHandler: (webSocket, request) => relayTo(webSocket, request, relay, clientOf(request.ip)),
    },
    getAsyncApi: {
      handler: async () => {
        document ??= (await import('./async-api.ts')).asyncApiDocument(version);
        return document;
      },
    },
  };
}

/** Sixteen bytes in base64, as RFC 6455 has it. */
const handshakeKey = /^[+/0-9A-Za-z]{22}==$/;
const protocolVersions = ['13', '8'];
const token = /^[\t ]*[\w!#$%&'*+.^`|~-]+[\t ]*$/;

/** What the library would refuse as well, with a page in HTML. */
function badHandshake(headers: IncomingHttpHeaders): Problem | undefined {
  if (!handshakeKey.test(headers['sec-websocket-key'] ?? ''))
    return new Problem('malformed-request', 'Sec-WebSocket-Key is missing, or is not 16 bytes in base64');
  if (!protocolVersions.includes(headers['sec-websocket-version'] ?? ''))
    return new Problem(
      'upgrade-required',
      'Sec-WebSocket-Version must be 13',
      {},
      { upgrade: 'websocket', 'sec-websocket-version': protocolVersions.join(', ') },
    );
  const names = headers['sec-websocket-protocol']?.split(',') ?? [];
  const isListOfTokens = names.every((name) => token.test(name));
  if (!isListOfTokens || new Set(names.map((name) => name.trim())).size < names.length)
    return new Problem('malformed-request', 'Sec-WebSocket-Protocol must list names, each once');
  return undefined;
}
