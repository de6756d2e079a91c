import type { IncomingHttpHeaders } from 'node:http';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import { z } from 'zod';
import type { Refusal } from '../../chat/chat-counts.ts';
import type { ChatRelay, Refused } from '../../chat/chat-relay.ts';
import { clientOf } from '../guards/client-address.ts';
import { routeSchema } from '../openapi/route-schema.ts';
import { chatPath, relayTo } from './web-sockets.ts';

const opened = z.undefined().meta({ description: 'WebSocket from here on' });

const schema = routeSchema({
  operationId: 'openWebSocket',
  summary: 'Real-time messages, by WebSocket upgrade',
  description:
    'Speaks WebSocket; see /api-spec/v1/async-api.json. An upgrade needs no key: the first message brings it, and a header does not stand for it. Only where too many wrong keys came from the same address, an upgrade without the right one in its header is 429. Without an upgrade it is 426.',
  tag: 'Server',
  keyMayWait: true,
  answers: { 101: opened, '2XX': opened },
  problems: ['upgrade-required', 'too-many-connections'],
});

const plainRequest = new Problem(
  'upgrade-required',
  'This path speaks WebSocket: connect with a WebSocket client',
  {},
  { upgrade: 'websocket' },
);

const refusals: Readonly<Record<Refusal, readonly [code: ProblemCode, detail: string]>> = {
  connections: ['too-many-connections', 'The server holds as many chat connections as it may'],
  'connections-per-address': [
    'too-many-requests',
    'Too many chat connections from this address: close some of them',
  ],
  'wrong-keys': [
    'too-many-requests',
    'Too many wrong keys from this address: wait, or send the right one in the header Authorization of the upgrade',
  ],
};

function refusal({ limit, waitSeconds }: Refused): Problem {
  return new Problem(...refusals[limit], { retry: true }, { 'retry-after': String(waitSeconds) });
}

/** `GET /ws`: speaks WebSocket, on the same port as everything else. */
export function webSocketRoute(server: HttpServer, relay: ChatRelay): void {
  server.route({
    method: 'GET',
    url: chatPath,
    schema,
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
  });
}

/** Sixteen bytes in base64, as RFC 6455 has it. */
const handshakeKey = /^[+/0-9A-Za-z]{22}==$/;
const protocolVersions = ['13', '8'];
const token = /^[\t ]*[\w!#$%&'*+.^`|~-]+[\t ]*$/;

/** What the library would refuse as well, with a page in HTML. */
function badHandshake(headers: IncomingHttpHeaders): Problem | undefined {
  if (!handshakeKey.test(headers['sec-websocket-key'] ?? ''))
    return new Problem('malformed-request', 'Sec-WebSocket-Key is missing, or no 16 bytes in base64');
  if (!protocolVersions.includes(headers['sec-websocket-version'] ?? ''))
    return new Problem(
      'upgrade-required',
      'Sec-WebSocket-Version has to be 13',
      {},
      { upgrade: 'websocket', 'sec-websocket-version': protocolVersions.join(', ') },
    );
  const names = headers['sec-websocket-protocol']?.split(',') ?? [];
  const isListOfTokens = names.every((name) => token.test(name));
  if (!isListOfTokens || new Set(names.map((name) => name.trim())).size < names.length)
    return new Problem('malformed-request', 'Sec-WebSocket-Protocol has to be names, each once');
  return undefined;
}
