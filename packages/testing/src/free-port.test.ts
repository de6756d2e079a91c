import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

const asked = (times: number) => Promise.all(Array.from({ length: times }, () => freePort()));

it('tells nobody of a port that somebody was told of just before', async () => {
  expect(new Set(await asked(500)).size).toBe(500);
});

it('tells nobody of a port that is held, however often it is asked', async () => {
  const port = await freePort();
  await using holder = createServer().listen({ host: '127.0.0.1', port });
  await once(holder, 'listening');
  const told = await asked(1_500);
  expect(told).not.toContain(port);
  // It has come round.
  expect(new Set(told).size).toBeLessThan(1_000);
});
