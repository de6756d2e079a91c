import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { rawExchange } from '@steward/testing/raw-exchange';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { settled } from '../game/stage/stage.ts';
import { openApi, testKey } from './stage/open-api.ts';
import { operationsOf } from './stage/operations.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'FOO'];
const strange = [
  'x: y',
  'authorization: Bearer wrong',
  'host: b',
  'expect: cake',
  'content-length: 3',
  'connection: upgrade\r\nupgrade: x',
  'origin: https://panel.example\r\naccess-control-request-method: POST',
];

it.each([undefined, 'k3y'])('/metrics does not grow by what outsiders send, key %s', async (key) => {
  await using api = await openApi({ key, allowedOrigins: ['https://panel.example'] });
  const { port } = await api.listen();
  const series = async () =>
    (await api.ask('GET', '/metrics')).body
      .split('\n')
      .filter((line) => line.startsWith('steward_http'))
      .map((line) => line.replace(/ \S+$/, ''));
  const paths = [
    ...operationsOf(api.document).map(({ path }) => path),
    ...['/docs', '/docs/nothing', '/nowhere', '/', '*', 'http://a/b', '/%zz', `/${'x'.repeat(200)}`],
  ];
  // What is there to be seen without a key has been seen.
  for (const path of paths) await rawExchange(port, `GET ${path} HTTP/1.0\r\n\r\n`);
  await series();
  const before = await series();
  const sent = paths.flatMap((path) => methods.map((method) => `${method} ${path}?value=x HTTP/1.1\r\n`));
  for (const [index, line] of sent.entries()) {
    const header = strange[index % strange.length];
    await rawExchange(port, `${line}host: a\r\n${header}\r\n\r\nabc`);
  }
  expect(await series()).toEqual(before);
  expect(before.length).toBeLessThan(600);
});

it('counts refusals by their status, and a HEAD as the GET that it is', async () => {
  await using api = await openApi();
  for (const url of ['/nowhere', '/nothing']) await api.ask('GET', url);
  await api.ask('POST', '/time?value=x');
  await api.ask('HEAD', '/players');
  const { body } = await api.ask('GET', '/metrics');
  for (const line of [
    'steward_http_refused_total{status="404"} 2',
    'steward_http_refused_total{status="400"} 1',
    'steward_http_refused_total{status="401"} 0',
    'steward_http_request_duration_seconds_count{method="GET",route="/players",status="200"} 1',
  ])
    expect(body).toContain(line);
  expect(body).not.toContain('route="/time"');
});

it('times a page of events where it did not wait: otherwise it lasts as long as nothing happens', async () => {
  await using api = await openApi();
  const { exact } = await api.ask('GET', '/events?topics=chat');
  const waiting = api.ask('GET', `/events?topics=chat&wait=1&after=${exact['cursor']}`);
  await settled();
  api.clock.advance(1_000);
  expect((await waiting).exact).toMatchObject({ events: [] });
  api.bridge.events.append({
    type: 'chat.said',
    data: { playerId: '5512', playerName: 'Ann', message: 'hi' },
  });
  await api.ask('GET', `/events?topics=chat&wait=1&after=${exact['cursor']}`);
  const lines = (await api.ask('GET', '/metrics')).body.split('\n');
  const count = 'steward_http_request_duration_seconds_count{method="GET",route="/events",status="200"}';
  expect(lines).toContain(`${count} 2`);
});

it('counts what was refused before it was read, too', async () => {
  await using api = await openApi({ key: testKey });
  const { port } = await api.listen();
  await rawExchange(port, `GET /status HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
  await rawExchange(port, 'CONNECT a:80 HTTP/1.1\r\nhost: a\r\n\r\n');
  const lines = (await api.ask('GET', '/metrics')).body.split('\n');
  for (const line of [
    'steward_http_refused_total{status="431"} 1',
    'steward_http_refused_total{status="501"} 1',
  ])
    expect(lines).toContain(line);
});

it('calls webhooks by their ids, as what they are called is for an admin to read', async () => {
  await using api = await openApi({
    key: testKey,
    leftKeys: [{ name: 'prometheus', scopes: ['read'] }],
    leftWebhooks: [{ id: 'hook_9c2e41d07ab3', name: 'police tip line' }],
  });
  const { body } = await api.ask('GET', '/metrics', { key: api.secretOf('prometheus') });
  expect(body).toContain('steward_webhook_failing{webhook="hook_9c2e41d07ab3"} 0');
  expect(body).toContain('steward_webhook_oldest_undelivered_seconds{webhook="hook_9c2e41d07ab3"} 0');
  expect(body).not.toContain('police');
});

it('lacks the size of a database that cannot be looked at, and nothing else', async () => {
  using directory = temporaryDirectory();
  await using api = await openApi({ directory: directory.path });
  const told = async () => {
    const { body } = await api.ask('GET', '/metrics');
    return ['steward_database_bytes', 'steward_players'].filter((name) => body.includes(`\n${name} `));
  };
  expect(await told()).toEqual(['steward_database_bytes', 'steward_players']);
  // Leads to itself, so that the system does not say whether there is one.
  symlinkSync('steward.db-journal', join(directory.path, 'steward.db-journal'));
  expect(await told()).toEqual(['steward_players']);
});

it('counts what happens by its type from the first on, and what is private not at all', async () => {
  await using api = await openApi();
  const person = { playerId: '5512', playerName: 'Ann' };
  for (const message of ['good morning', 'good evening', '!login hunter2'])
    api.bridge.events.append({ type: 'chat.said', data: { ...person, message } });
  const { body } = await api.ask('GET', '/metrics');
  for (const line of [
    'steward_events_happened_total{topic="chat",type="chat.said"} 2',
    'steward_events_happened_total{topic="game",type="game.connected"} 1',
    'steward_events_happened_total{topic="game",type="game.crashed"} 0',
  ])
    expect(body.split('\n')).toContain(line);
});
