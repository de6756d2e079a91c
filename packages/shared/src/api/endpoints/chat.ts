import type { Endpoints } from '../endpoint.ts';

export const chatEndpoints = {
  openWebSocket: {
    on: 'GET /ws',
    group: 'Server',
    scope: 'read',
    summary: 'Real-time messages, by WebSocket upgrade',
    description:
      'Speaks WebSocket; see /api-spec/v1/async-api.json. An upgrade needs no key: the first message brings it, and a header does not stand for it. Only where too many wrong keys came from the same address, an upgrade without the right one in its header is 429. Without an upgrade it is 426.',
    webSocket: true,
    problems: ['upgrade-required', 'too-many-connections'],
  },
} as const satisfies Endpoints;
