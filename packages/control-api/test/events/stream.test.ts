import { PassThrough } from 'node:stream';
import { rawExchange } from '@steward/testing/raw-exchange';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { StoreError } from '../../src/store/tables/store-error.ts';
import { dayStarted, joined, said, streamStage } from './stage/stream-stage.ts';

it('begins now, says at once where that is and when to come back, and tells each event as it happens', async () => {
  await using stage = await streamStage();
  stage.tell(dayStarted(1));
  const reader = await stage.read();
  expect(reader.response.statusCode).toBe(200);
  expect(reader.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': expect.any(String),
  });
  const { head } = stage.events;
  await reader.until(() => reader.lastEventId === head);
  expect([reader.retryMs, reader.comments, reader.heard]).toEqual([2_000, 2, []]);
  const cursor = stage.tell(dayStarted(2));
  const at = stage.api.clock.date().toISOString();
  const data = { day: 2, season: 'spring', year: 1 };
  expect(await reader.next()).toEqual({ type: 'farm.dayStarted', at, cursor, data });
  expect(reader.heard[0]?.name).toBe('message');
  expect(reader.lastEventId).toBe(cursor);
  expect(reader.text).toContain(
    `\n\nid: ${cursor}\ndata: {"type":"farm.dayStarted","at":"${at}","cursor":"${cursor}","data":{"day":2,`,
  );
});

it('goes on behind Last-Event-ID, which counts more than after, with what is new behind what was missed', async () => {
  await using stage = await streamStage();
  const [first, second] = [stage.tell(dayStarted(1)), stage.tell(dayStarted(2))];
  stage.tell(said('good morning'));
  stage.tell(said('!login hunter2'));
  const reader = await stage.read({
    query: `?after=${first}&topics=farm,chat`,
    headers: { 'last-event-id': second },
  });
  stage.tell(joined);
  stage.tell(dayStarted(3));
  expect((await reader.next()).data['message']).toBe('good morning');
  expect((await reader.next()).data['day']).toBe(3);
  const query = await stage.read({ query: `?after=${first}&topics=farm` });
  expect([(await query.next()).data['day'], (await query.next()).data['day']]).toEqual([2, 3]);
  expect(reader.types).toEqual(['chat.said', 'farm.dayStarted']);
});

it('tells what somebody wrote as that text alone: it ends no event, and begins none', async () => {
  await using stage = await streamStage();
  const reader = await stage.read();
  const hostile = [
    'a\n\nid: another-7\ndata: {"type":"server.stopping"}\n\n',
    'b\r\revent: gap\rretry: 0\r\r',
    'c\u2028\u2029data: x\u0085\0 \u001b[2J',
    'd \ud83d half of a letter',
    '"}},{"type":"chat.said","data":{"message":"e',
  ];
  for (const message of hostile) stage.tell(said(message));
  for (const message of hostile)
    expect(await reader.next()).toMatchObject({ type: 'chat.said', data: { message, playerName: 'Ann' } });
  stage.tell(joined);
  expect((await reader.next()).type).toBe('players.joined');
  expect(reader.lastEventId).toBe(stage.events.head);
  expect(reader.retryMs).toBe(2_000);
});

it('tells a gap in its place, from which a reader that is cut off there goes on', async () => {
  using directory = temporaryDirectory();
  await using stage = await streamStage({ directory: directory.path });
  stage.tell(dayStarted(1));
  const reader = await stage.read({ query: '?after=another-7' });
  const gap = await reader.next();
  expect(gap).toMatchObject({ type: 'gap', at: stage.api.clock.date().toISOString(), data: {} });
  const first = await reader.next();
  const again = await stage.read({ headers: { 'last-event-id': gap.cursor } });
  expect((await again.next()).cursor).toBe(first.cursor);
  expect(await stage.metric('steward_events_gaps_total{door="stream"}')).toBe(1);
});

it('tells every 15 seconds where the reader is, however seldom there is something for it', async () => {
  await using stage = await streamStage();
  const reader = await stage.read({ query: '?topics=chat' });
  await reader.until(() => reader.lastEventId !== '');
  const cursor = stage.tell(dayStarted(1));
  stage.api.clock.advance(15_000);
  await reader.until(() => reader.lastEventId === cursor);
  expect(reader.heard).toEqual([]);
});

it('tells what memory does not reach when it is found, what is new behind it, and says meanwhile that it is there', async () => {
  await using stage = await streamStage();
  const cursor = stage.tell(dayStarted(1));
  stage.tell(dayStarted(2));
  const found = Promise.withResolvers<void>();
  vi.spyOn(stage.events, 'recent').mockReturnValueOnce({ events: [], gap: true });
  const after = stage.events.after.bind(stage.events);
  vi.spyOn(stage.events, 'after').mockImplementation(async (place) => {
    await found.promise;
    return after(place);
  });
  const reader = await stage.read({ query: `?after=${cursor}` });
  await reader.until(() => reader.comments > 0);
  const [, isThere] = vi.mocked(stage.events.after).mock.lastCall ?? [];
  expect(isThere?.()).toBe(true);
  stage.tell(dayStarted(3));
  stage.api.clock.advance(15_000);
  await reader.until(() => reader.comments > 1);
  expect([reader.heard, reader.lastEventId]).toEqual([[], '']);
  found.resolve();
  expect([(await reader.next()).data['day'], (await reader.next()).data['day']]).toEqual([2, 3]);
  reader[Symbol.dispose]();
  await expect.poll(() => isThere?.()).toBe(false);
});

it.each([
  ['?after=yesterday', {}],
  ['', { 'last-event-id': 'yesterday' }],
  ['?topics=weather', {}],
])('refuses what it cannot begin with before it begins: %s %j', async (query, headers) => {
  await using stage = await streamStage();
  const { statusCode, exact } = await stage.api.ask('GET', `/events/stream${query}`, { headers });
  expect([statusCode, exact['code']]).toEqual([400, 'invalid-parameter']);
});

it('a Last-Event-ID that is empty is none', async () => {
  await using stage = await streamStage();
  const reader = await stage.read({ headers: { 'last-event-id': '' } });
  expect(reader.response.statusCode).toBe(200);
});

it('answers HEAD with the same head alone, and takes no seat for it', async () => {
  await using stage = await streamStage({ chatLimits: { connections: 1 } });
  for (let asked = 0; asked < 3; asked += 1) {
    const { everything, status, headers } = await rawExchange(
      stage.port,
      'HEAD /events/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      { untilClosed: true },
    );
    expect([status, headers['content-type'], everything.split('\r\n\r\n')[1]]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
  }
});

it('streams over HTTP/1.0, unchunked', async () => {
  await using stage = await streamStage();
  const cursor = stage.tell(dayStarted(1));
  stage.tell(dayStarted(2));
  const reading = rawExchange(
    stage.port,
    `GET /events/stream?after=${cursor} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n`,
    { untilClosed: true },
  );
  await expect.poll(() => stage.metric('steward_events_streams_opened_total')).toBe(1);
  await stage.api.app.close();
  const { body, headers } = await reading;
  expect(headers['transfer-encoding']).toBeUndefined();
  expect(body).toMatch(/^retry: 2000\n:\n\nid: \S+\ndata: \{.*\}\n\n/);
});

it('ends where what was missed cannot be read now, and its reader comes back for it from the same place', async () => {
  await using stage = await streamStage();
  const cursor = stage.tell(dayStarted(1));
  stage.tell(dayStarted(2));
  vi.spyOn(stage.events, 'recent').mockReturnValueOnce({ events: [], gap: true });
  vi.spyOn(stage.events, 'after').mockRejectedValueOnce(new StoreError('busy', 'it is locked'));
  const reader = await stage.read({ query: `?after=${cursor}` });
  await reader.over;
  expect([reader.types, reader.lastEventId]).toEqual([[], '']);
  expect(await stage.metric('steward_events_streams_closed_total{reason="past-unreadable"}')).toBe(1);
  const again = await stage.read({ query: `?after=${cursor}` });
  await again.next();
  expect(again.types).toEqual(['farm.dayStarted']);
});

it('ends at once when the service stops, with all that was told before', async () => {
  await using stage = await streamStage();
  const reader = await stage.read();
  const idle = await stage.read();
  stage.tell(dayStarted(1));
  const began = performance.now();
  await stage.api.app.close();
  await Promise.all([reader.over, idle.over]);
  expect(performance.now() - began).toBeLessThan(4_000);
  expect(reader.types).toEqual(['farm.dayStarted']);
});

it('writes one line of the log when it is over, and is in no latency', async () => {
  const log = new PassThrough();
  let written = '';
  log.on('data', (text: Buffer) => {
    written += text;
  });
  await using stage = await streamStage({ log });
  const reader = await stage.read({ query: '?topics=chat' });
  await reader.until(() => reader.lastEventId !== '');
  const told = () => written.split('\n').filter((line) => line.includes('/events/stream'));
  expect(told()).toEqual([]);
  reader[Symbol.dispose]();
  await expect.poll(told).toHaveLength(1);
  expect(JSON.parse(told()[0] ?? '')).toMatchObject({ status: 200, msg: 'GET /events/stream' });
  const { body } = await stage.api.ask('GET', '/metrics');
  expect(body).not.toContain('route="/events/stream"');
});
