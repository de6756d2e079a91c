import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Wire } from './wire.ts';

/** Long enough for what would come over loopback to have come. */
const silenceMs = 100;

/** Somebody who repeats what they hear, at the far end of a wire. */
async function echoed() {
  const echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const wire = await Wire.between('test', undefined, { port: (echo.address() as AddressInfo).port });
  return {
    wire,
    dial: () => connect(wire.port, '127.0.0.1').setEncoding('utf8'),
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]();
      echo.close();
    },
  };
}

it('passes on what is said, both ways', async () => {
  await using there = await echoed();
  const socket = there.dial();
  socket.write('hello');
  expect(await once(socket, 'data')).toEqual(['hello']);
});

it('breaks what is open when it is cut, lets nobody through, and does again once it is fixed', async () => {
  await using there = await echoed();
  const socket = there.dial();
  socket.write('hello');
  await once(socket, 'data');
  there.wire.cut();
  expect(await once(socket, 'error')).toMatchObject([{ code: 'ECONNRESET' }]);
  expect(await once(there.dial(), 'error')).toMatchObject([{ code: 'ECONNRESET' }]);
  there.wire.fix();
  const again = there.dial();
  again.write('hello again');
  expect(await once(again, 'data')).toEqual(['hello again']);
});

it('swallows nothing for good while it is stalled', async () => {
  await using there = await echoed();
  const socket = there.dial();
  socket.write('hello');
  await once(socket, 'data');
  there.wire.stall();
  const heard = once(socket, 'data');
  socket.write('are you there?');
  expect(await Promise.race([heard, pause(silenceMs, 'nothing')])).toBe('nothing');
  there.wire.fix();
  expect(await heard).toEqual(['are you there?']);
});
