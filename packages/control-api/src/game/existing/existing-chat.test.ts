import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { ExistingChat } from './existing-chat.ts';
import { existingLimits } from './existing-limits.ts';

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
