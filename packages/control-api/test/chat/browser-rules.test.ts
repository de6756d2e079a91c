import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openApi } from '../api/stage/open-api.ts';
import { sharedApi } from '../api/stage/shared-api.ts';

const ofPanel = sharedApi({ game: false, allowedOrigins: ['https://panel.example'] });

interface Knock {
  readonly host?: string;
  readonly origin?: string;
  readonly address?: string;
}

/** The status of an upgrade: 101 when it is let in. */
async function knock(port: number, { host, origin, address }: Knock): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    headers: {
      ...(host === undefined ? {} : { host }),
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    },
    ...(origin === undefined ? {} : { origin }),
  });
  socket.on('error', () => {});
  const status = await Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(
      ([, response]) => (response as { statusCode: number }).statusCode,
    ),
  ]);
  socket.terminate();
  return status;
}

it.each<[string, Knock, number]>([
  ['a bot', {}, 101],
  ['a bot under any name', { host: 'farm.example' }, 101],
  ['a page of this server', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }, 101],
  ['a page of an allowed origin', { origin: 'https://panel.example' }, 101],
  ['a page of another site', { origin: 'https://evil.example' }, 403],
  ['a page under a rebound name', { host: 'evil.example', origin: 'http://evil.example' }, 403],
  ['a page without an origin of its own', { origin: 'null' }, 403],
])('without a key, %s', async (_who, from, status) => {
  expect(await knock(await ofPanel.port(), from)).toBe(status);
});

it('with a key, lets any page knock: the key is what protects', async () => {
  await using api = await openApi({ game: false, key: 'k3y' });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  expect(await knock(port, { origin: 'https://evil.example' })).toBe(101);
});

it('counts connections by the address that a trusted proxy tells, and by no other', async () => {
  const limits = { connectionsPerAddress: 1 };
  for (const trustedProxies of [['127.0.0.1'], []]) {
    await using api = await openApi({ game: false, trustedProxies, chatLimits: limits });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.app.server.address() as AddressInfo;
    const held = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    await once(held, 'open');
    expect(await knock(port, { address: '192.0.2.1' })).toBe(429);
    expect(await knock(port, { address: '192.0.2.2' })).toBe(trustedProxies.length > 0 ? 101 : 429);
  }
});

it('counts what happens in the metrics', async () => {
  await using api = await openApi({ game: false, key: 'k3y', chatLimits: { connections: 1 } });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await once(socket, 'open');
  expect(await knock(port, {})).toBe(503);
  socket.send('{"type":"auth","payload":{"token":"wrong"}}');
  await once(socket, 'close');
  const metrics = (await api.ask('GET', '/metrics')).body;
  for (const line of [
    'steward_chat_connections_opened_total 1',
    'steward_chat_refused_total{limit="connections"} 1',
    'steward_chat_closed_total{reason="bad-token"} 1',
    'steward_chat_listeners 0',
    'steward_chat_sent_total{status="delivered"} 0',
  ])
    expect(metrics).toContain(line);
});
