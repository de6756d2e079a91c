import { once } from 'node:events';
import { connect } from 'node:net';
import { scopeNames } from '@steward/shared/scopes';
import { expect, it } from 'vitest';
import { dayStarted, joined, said, streamStage } from './stage/stream-stage.ts';

const key = 'k3y';
const leftKeys = scopeNames.map((scope) => ({ name: scope, scopes: [scope] }));

it('hears what its key is good for: a named topic beyond that is refused, and none named is all of it', async () => {
  await using stage = await streamStage({ key, leftKeys });
  const chat = stage.api.secretOf('chat');
  const refused = await stage.api.ask('GET', '/events/stream?topics=chat,players', { key: chat });
  expect([refused.statusCode, refused.exact['detail'], refused.headers['www-authenticate']]).toEqual([
    403,
    'The topic players needs a key with the scope read; the key "chat" has chat',
    'Bearer error="insufficient_scope", scope="read"',
  ]);
  const [listener, reader] = [
    await stage.read({ key: chat }),
    await stage.read({ key: stage.api.secretOf('read') }),
  ];
  stage.tell(dayStarted(1));
  stage.tell(said('good morning'));
  await listener.next();
  await reader.next();
  await reader.next();
  expect(listener.types).toEqual(['chat.said']);
  expect(reader.types).toEqual(['farm.dayStarted', 'chat.said']);
  for (const scope of ['operate', 'moderate'])
    expect(
      (await stage.api.ask('GET', '/events/stream', { key: stage.api.secretOf(scope) })).statusCode,
    ).toBe(403);
});

it('shows identities to those alone who may see them, live and of the past', async () => {
  const keys = [
    { name: 'reader', scopes: ['read'] },
    { name: 'moderator', scopes: ['read', 'moderate'] },
  ] as const;
  await using stage = await streamStage({ key, leftKeys: keys });
  const { head } = stage.events;
  stage.tell(joined);
  const seen: Record<string, unknown[]> = {};
  for (const name of ['reader', 'moderator']) {
    const reader = await stage.read({ key: stage.api.secretOf(name), query: `?after=${head}` });
    await reader.next();
    stage.tell(joined);
    await reader.next();
    seen[name] = reader.items.slice(0, 2).map(({ data }) => data['connectionId']);
  }
  expect(seen).toEqual({ reader: [undefined, undefined], moderator: ['GN_46265193014', 'GN_46265193014'] });
});

it('ends at once with its key, which opens nothing any more; and takes no key but the header', async () => {
  await using stage = await streamStage({ key, leftKeys });
  const secret = stage.api.secretOf('read');
  const [ended, other] = [await stage.read({ key: secret }), await stage.read({ key })];
  await stage.api.ask('DELETE', '/keys?name=read', { key });
  await ended.over;
  expect((await stage.api.ask('GET', '/events/stream', { key: secret })).statusCode).toBe(401);
  for (const query of [`?token=${key}`, `?key=${key}`, `?access_token=${key}`])
    expect((await stage.api.ask('GET', `/events/stream${query}`, { key: null })).statusCode).toBe(401);
  stage.tell(dayStarted(1));
  await other.next();
  expect(await stage.metric('steward_events_streams_closed_total{reason="key-ended"}')).toBe(1);
});

it.each(['GET /events/stream', 'GET /events?wait=10', 'POST /keys?name=thief&scopes=admin'])(
  'opens nothing for a key that ended while the request’s body was on its way: %s',
  async (asked) => {
    await using stage = await streamStage({ key, leftKeys });
    const socket = connect(stage.port, '127.0.0.1').setEncoding('utf8');
    const secret = stage.api.secretOf('admin');
    socket.write(
      `${asked} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${secret}\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n`,
    );
    // It was asked for its key by then.
    expect(await once(socket, 'data')).toEqual([expect.stringContaining('100 Continue')]);
    await stage.api.ask('DELETE', '/keys?name=admin', { key });
    socket.write('{}');
    const [answer] = await once(socket, 'data');
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(answer).toContain('key-ended');
    socket.destroy();
    const { exact } = await stage.api.ask('GET', '/keys', { key });
    expect(exact['keys']).not.toContainEqual(expect.objectContaining({ name: 'thief' }));
  },
);

it('is open to pages of this server and of allowed origins, and to no others', async () => {
  const page = 'https://panel.example';
  await using stage = await streamStage({ allowedOrigins: [page] });
  const own = await stage.read({ headers: { 'sec-fetch-site': 'same-origin' } });
  expect(own.response.headers).toMatchObject({ vary: 'origin' });
  const allowed = await stage.read({ headers: { origin: page, 'sec-fetch-site': 'cross-site' } });
  expect([allowed.response.statusCode, allowed.response.headers['access-control-allow-origin']]).toEqual([
    200,
    page,
  ]);
  const foreign = await stage.read({ headers: { origin: 'https://elsewhere.example' } });
  expect(foreign.response.statusCode).toBe(403);
  const asked = await stage.api.ask('OPTIONS', '/events/stream', {
    headers: { origin: page, 'access-control-request-method': 'GET' },
  });
  expect(asked.headers['access-control-allow-headers']).toContain('last-event-id');
});

it.each([
  [{ connections: 2 }, 503, 'connections'],
  [{ connectionsPerAddress: 2 }, 429, 'connections-per-address'],
] as const)(
  'shares the seats with the sockets, and has room again: %j',
  async (chatLimits, status, limit) => {
    await using stage = await streamStage({ chatLimits });
    const socket = new WebSocket(`ws://127.0.0.1:${stage.port}/ws`);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const reader = await stage.read();
    const refused = await stage.read();
    expect([refused.response.statusCode, refused.response.headers['retry-after']]).toEqual([status, '5']);
    expect(await stage.metric(`steward_events_refused_total{door="stream",limit="${limit}"}`)).toBe(1);
    expect(await stage.metric('steward_events_listeners{door="stream"}')).toBe(1);
    reader[Symbol.dispose]();
    await expect.poll(() => stage.metric('steward_events_listeners{door="stream"}')).toBe(0);
    const next = await stage.read();
    expect(next.response.statusCode).toBe(200);
    socket.close();
  },
);

it('takes no seat behind an answer that is still to come: nobody would see it leave', async () => {
  await using stage = await streamStage({ chatLimits: { connections: 2 } });
  const socket = connect(stage.port, '127.0.0.1');
  const asked = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  socket.write(
    `GET /events?wait=25&after=${stage.events.head} ${asked}GET /events/stream ${asked}GET /events/stream ${asked}`,
  );
  const listening = (door: string) => stage.metric(`steward_events_listeners{door="${door}"}`);
  await expect.poll(() => listening('poll')).toBe(1);
  expect(await listening('stream')).toBe(0);
  socket.destroy();
  await once(socket, 'close');
  await expect.poll(() => listening('poll')).toBe(0);
  expect(await listening('stream')).toBe(0);
});

it.each([
  ['at once', true],
  ['later', false],
])('answers nothing else on its connection: who asks for more, %s, is cut off', async (_when, atOnce) => {
  await using stage = await streamStage();
  const socket = connect(stage.port, '127.0.0.1');
  const asked = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  const more = asked('/status') + asked('/health') + asked('/events/stream');
  let heard = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    heard += piece;
  });
  const over = once(socket, 'close');
  socket.write(asked('/events/stream') + (atOnce ? more : ''));
  if (!atOnce) {
    await expect.poll(() => heard).toContain('\nid: ');
    socket.write(more);
  }
  await over;
  expect(heard.split('HTTP/1.1 200 OK').length).toBeLessThanOrEqual(2);
  expect(heard).not.toContain('application/json');
  const listening = () => stage.metric('steward_events_listeners{door="stream"}');
  await expect.poll(listening).toBe(0);
});
