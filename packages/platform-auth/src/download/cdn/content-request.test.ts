import { once } from 'node:events';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createServer } from '@steward/service-kit/http/node-http';
import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { failureOfStatus, requestContent } from './content-request.ts';

const now = new Date('2026-11-21T06:30:00.000Z');

describe('how long a busy server wants to be left alone', () => {
  it.each([
    ['3', 3_000],
    [' 3 ', 3_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 06:30:45 GMT', 45_000],
    ['Sat, 21 Nov 2026 06:29:00 GMT', 0],
    ['86400', 120_000],
    ['Sun, 22 Nov 2026 06:30:00 GMT', 120_000],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is %j in words, %j ms', (words, ms) => {
    expect(failureOfStatus(503, words, now)).toMatchObject({ kind: 'busy', retryAfterMs: ms });
  });

  it('is nothing where it does not want this request at all', () => {
    expect(failureOfStatus(403, '3', now)).toMatchObject({ kind: 'refused', retryAfterMs: undefined });
  });
});

it('says of a long answer that it moves, for each stretch in which enough came', async () => {
  const stretchBytes = 5_000;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clock = new ManualClock();
  const agent = new Agent();
  let moved = 0;
  const coming = requestContent({
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/chunk`),
    hostName: 'content',
    agent,
    bytes: { exactly: 3 * stretchBytes },
    clock,
    signal: new AbortController().signal,
    moves: () => {
      moved += 1;
    },
  });
  const [, answer] = await once(server, 'request');
  const [socket] = Object.values(agent.sockets)[0] ?? [];
  for (const stretch of [1, 2]) {
    answer.write(Buffer.alloc(stretchBytes));
    while ((socket?.bytesRead ?? 0) < stretch * stretchBytes) await setImmediate();
    await setImmediate();
    clock.advance(10_000);
    expect(moved).toBe(stretch);
  }
  answer.end(Buffer.alloc(stretchBytes));
  expect(await coming).toHaveLength(3 * stretchBytes);
  expect(moved).toBe(2);
  agent.destroy();
  server.close();
});
