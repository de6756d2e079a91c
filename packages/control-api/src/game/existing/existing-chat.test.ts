import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { Changes } from '@steward/testing/changes';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { ExistingChat } from './existing-chat.ts';
import { type ExistingLimits, existingLimits } from './existing-limits.ts';

it('gives a connection up that is never taken, so that another can be tried', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const clock = new ManualClock();
  const { promise: ended, resolve } = Promise.withResolvers<MendableTrouble>();
  const chat = new ExistingChat({
    url: new URL(`http://127.0.0.1:${port}`),
    key: undefined,
    clock,
    limits: existingLimits,
    heard: () => {},
    ready: () => {},
    ended: resolve,
  });
  await once(silent, 'connection');
  clock.advance(existingLimits.chatAnswerMs);
  expect(await ended).toMatchObject({ reason: 'it does not accept the chat in time' });
  await chat.decided;
  expect(chat.isReady).toBe(false);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

/** A connection that is taken, with what is heard over it. */
async function listening(limits: Partial<ExistingLimits> = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const clock = new ManualClock();
  const heard: [name: string, message: string][] = [];
  const changes = new Changes();
  const chat = new ExistingChat({
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    key: undefined,
    clock,
    limits: { ...existingLimits, ...limits },
    heard: (...line) => {
      heard.push(line);
      changes.told();
    },
    ready: () => {},
    ended: () => {},
  });
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  socket.on('message', () => socket.send('{"type":"pong"}'));
  await chat.decided;
  return {
    clock,
    heard,
    say: (message: string, playerName = 'Abigail') =>
      socket.send(JSON.stringify({ type: 'chat', payload: { playerName, message } })),
    hears: (lines: number) =>
      changes.until(() => heard.length >= lines || undefined, {
        missing: () => `heard ${heard.length}`,
      }),
    [Symbol.dispose]() {
      chat.close();
      socket.terminate();
      server.close();
    },
  };
}

it('hears of a line, and of a name, as much as anybody has to say', async () => {
  using chat = await listening();
  chat.say('x'.repeat(50_000), 'y'.repeat(50_000));
  await chat.hears(1);
  expect(chat.heard[0]?.map(({ length }) => length)).toEqual([200, 1_000]);
});

it('takes so many lines in a second, and the rest of a flood later', async () => {
  using paced = await listening({ chatFramesPerSecond: 100 });
  using other = await listening({ chatFramesPerSecond: Number.POSITIVE_INFINITY });
  const flood = (chat: typeof paced) => {
    // Far more than what one read takes from a connection.
    for (let line = 0; line < 500; line += 1) chat.say(`${line} ${'x'.repeat(2_000)}`);
  };
  flood(paced);
  // The pong with which it got ready is one of the hundred.
  await paced.hears(99);
  for (let round = 1; round <= 10; round += 1) {
    flood(other);
    await other.hears(round * 500);
  }
  expect(paced.heard.length).toBeLessThan(250);
  while (paced.heard.length < 500) {
    const { length } = paced.heard;
    paced.clock.advance(1_000);
    await paced.hears(Math.min(500, length + 100));
  }
  expect(paced.heard).toEqual(other.heard.slice(0, 500));
});
