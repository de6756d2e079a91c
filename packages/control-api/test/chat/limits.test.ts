import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ChatStage, key } from './stage/chat-stage.ts';
import { Client } from './stage/client.ts';
import { frame, RawSocket } from './stage/raw-socket.ts';

const pong = 0xa;

async function refusedWith(url: string): Promise<number | undefined> {
  const socket = new WebSocket(url);
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
  socket.terminate();
  return response.statusCode;
}

it.each([
  ['all', { connections: 2 }, 503, 'connections'],
  ['one address', { connectionsPerAddress: 2 }, 429, 'connections-per-address'],
] as const)(
  'caps the connections of %s before the upgrade, and has room again',
  async (_whose, limits, status, why) => {
    await using stage = await ChatStage.open({ limits });
    const first = await stage.client();
    await stage.client();
    expect(await refusedWith(stage.url)).toBe(status);
    expect(stage.relay.counts.refused[why]).toBe(1);
    first.close();
    await first.closed;
    await (await stage.client()).rest();
    expect(stage.relay.connections).toBe(2);
  },
);

it('drops messages that come too fast, says so once, and takes them again at a slower pace', async () => {
  await using stage = await ChatStage.open({ limits: { messagesPerSecond: 5 } });
  const client = await stage.client();
  for (let message = 0; message < 30; message += 1) client.send({ type: 'ping' });
  client.send({ type: 'chat_send', payload: { author: 'a', message: 'b', id: '7' } });
  for (let message = 0; message < 20; message += 1) await client.next('pong');
  expect((await client.next('error')).payload.code).toBe('too-many-messages');
  expect((await client.next('chat_sent')).payload).toMatchObject({ id: '7', status: 'refused' });
  expect(stage.commands).toEqual([]);
  stage.clock.advance(1_000);
  for (let message = 0; message < 5; message += 1) {
    client.send({ type: 'ping' });
    await client.next('pong');
  }
  expect(stage.relay.counts.dropped).toBe(11);
});

it('closes a flood of messages, or of pings of the protocol, with 1008', async () => {
  await using stage = await ChatStage.open({ limits: { messagesPerSecond: 5 } });
  const [flood, pings] = [await stage.client(), await stage.client()];
  const quiet = await stage.client();
  for (let message = 0; message < 300; message += 1) {
    flood.send({ type: 'ping' });
    pings.socket.ping();
  }
  for (const client of [flood, pings])
    expect(await client.closed).toEqual({ code: 1008, reason: 'Too many messages' });
  await quiet.rest();
  expect(stage.relay.counts.closed['message-rate']).toBe(2);
});

it('answers a ping of the protocol with its own bytes', async () => {
  await using stage = await ChatStage.open({});
  const client = await stage.client();
  client.socket.ping('steward');
  const [data] = (await once(client.socket, 'pong')) as [Buffer];
  expect(data.toString()).toBe('steward');
});

it('drops a client that does not read with 1013, and nobody else waits for it', async () => {
  // It has a megabyte to read before it comes to the close, and the time for it that the service gives.
  await using stage = await ChatStage.open({ limits: { closeMs: 3_000 } });
  const [asleep, awake] = [await stage.client(), await stage.client()];
  asleep.socket.pause();
  const long = 'x'.repeat(30_000);
  let said = 0;
  while (stage.relay.counts.closed['slow-reader'] === 0 && said < 2_000) {
    stage.say(long);
    said += 1;
    await awake.next('chat');
  }
  expect(stage.relay.counts.closed['slow-reader']).toBe(1);
  expect(awake.texts).toHaveLength(said);
  expect(stage.relay.listeners).toBe(1);
  asleep.socket.resume();
  expect((await asleep.closed).code).toBe(1013);
  expect(asleep.texts.length).toBeLessThan(said);
});

it('asks for a sign of life, and ends connections that give none', async () => {
  await using stage = await ChatStage.open({ key, limits: { pingMs: 30_000 } });
  const [alive, dead] = [await stage.authenticated(), await stage.authenticated()];
  // The dead one gets pings and never answers.
  dead.socket.pong = () => {};
  dead.socket.removeAllListeners('ping');
  Object.assign(dead.socket, { _autoPong: false });
  for (const client of [alive, dead]) await client.rest();
  stage.clock.advance(30_000);
  await Promise.all([once(alive.socket, 'ping'), once(dead.socket, 'ping')]);
  await alive.rest();
  stage.clock.advance(30_000);
  expect((await dead.closed).code).toBe(1006);
  await alive.rest();
  expect(stage.relay.counts.closed['dead-peer']).toBe(1);
});

it('takes no pong for a sign of life that does not answer its ping', async () => {
  await using stage = await ChatStage.open({ limits: { pingMs: 30_000 } });
  const raw = await RawSocket.upgraded(stage.port);
  stage.clock.advance(30_000);
  raw.write(frame(pong, ''));
  raw.write(frame(pong, '8 bytes.'));
  // By then they have come.
  await (await stage.client()).rest();
  stage.clock.advance(30_000);
  await raw.ended;
  expect(stage.relay.counts.closed['dead-peer']).toBe(1);
});

it('does not compress, even for a client that asks for it', async () => {
  await using stage = await ChatStage.open({});
  const client = new Client(stage.url);
  await once(client.socket, 'open');
  expect(client.socket.extensions).toBe('');
});

it('holds its connections beside those that requests may have', async () => {
  await using stage = await ChatStage.open({ limits: { connections: 7_000 } });
  expect(stage.mostSockets).toBeGreaterThan(7_000);
});
