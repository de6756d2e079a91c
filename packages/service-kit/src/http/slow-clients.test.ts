import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setInterval as every } from 'node:timers/promises';
import { count } from '@steward/testing/scale';
import { describe, expect, it } from 'vitest';
import { keptLog } from '../../test/kept-log.ts';
import { serviceStopLimitMs } from '../process/ending.ts';
import { createHttpServer, type HttpLimits, httpLimits } from './http-server.ts';

/** Short, so that a test need not wait; each is the one that its test is about, the others are as in earnest. */
const short = 150;
const checkMs = 20;

/** More than the buffers of both sides' sockets hold. */
const big = Buffer.alloc(32 * 1024 * 1024);

async function stage(limits: Partial<HttpLimits>) {
  const { log, logger } = keptLog();
  const server = createHttpServer(logger, { limits: { checkMs, ...limits } });
  const waiting = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<string>();
  server.get('/quick', async () => 'quick');
  server.get('/big', async () => big);
  server.post('/body', async () => 'read');
  server.get('/slow', async () => {
    waiting.resolve();
    return finish.promise;
  });
  const accepted: Socket[] = [];
  server.server.on('connection', (socket: Socket) => accepted.push(socket));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return {
    server,
    accepted,
    /** The log's lines of requests that were not answered as they wanted. */
    refused: () => log.map((line) => JSON.parse(line)).filter(({ status }) => status >= 400),
    waiting: waiting.promise,
    finish: finish.resolve,
    client: () => new SlowClient(port),
    /** How an honest client is served meanwhile. */
    quick: async () => (await fetch(`http://127.0.0.1:${port}/quick`)).text(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** A socket, with what came over it. */
class SlowClient {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  received = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('data', (chunk) => {
      this.received += chunk.subarray(0, 2_000).toString('latin1');
    });
  }

  send(text: string): this {
    this.socket.write(text);
    return this;
  }

  /** Sends a byte now and then, for as long as it is let. */
  async drip(text: string): Promise<void> {
    for await (const _ of every(checkMs)) {
      if (this.socket.destroyed || this.socket.writableEnded) return;
      this.socket.write(text);
    }
  }
}

const head = 'GET /quick HTTP/1.1\r\nhost: a\r\n';

describe('a client', () => {
  it('that drips its headers is told that it is too slow, and cut off', async () => {
    await using at = await stage({ headersMs: short });
    const client = at.client().send(head);
    await Promise.all([client.drip('x'), client.closed]);
    expect(client.received).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request-timeout"/);
    expect(await at.quick()).toBe('quick');
  });

  it('that drips its body is, too', async () => {
    await using at = await stage({ headersMs: short / 2, requestMs: short });
    const client = at
      .client()
      .send(
        'POST /body HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n',
      );
    await Promise.all([client.drip('x'), client.closed]);
    expect(client.received).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request-timeout"/);
  });

  it('that drips its body leaves one line with the id of that answer, and no other', async () => {
    await using at = await stage({ headersMs: short / 2, requestMs: short });
    const client = at
      .client()
      .send(
        'POST /body HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n',
      );
    await Promise.all([client.drip('x'), client.closed]);
    await Promise.all(at.accepted.map((socket) => socket.destroyed || once(socket, 'close')));
    // By then the framework has given up the request, too.
    expect(await at.quick()).toBe('quick');
    const { requestId } = JSON.parse(client.received.split('\r\n\r\n')[1] ?? '');
    expect(at.refused()).toEqual([expect.objectContaining({ requestId, status: 408 })]);
  });

  it('that says nothing at all is cut off', async () => {
    await using at = await stage({ headersMs: short });
    const client = at.client();
    await client.closed;
    expect(await at.quick()).toBe('quick');
    expect(at.refused()).toEqual([]);
  });

  it('that stops reading a big answer is cut off', async () => {
    await using at = await stage({ silenceMs: short });
    const client = at.client().send('GET /big HTTP/1.1\r\nhost: a\r\n\r\n');
    client.socket.pause();
    await once(at.server.server, 'request');
    await Promise.all(at.accepted.map((socket) => socket.destroyed || once(socket, 'close')));
    expect(await at.quick()).toBe('quick');
    client.socket.destroy();
  });

  it('that asks on and on and reads nothing is cut off, and keeps nobody else waiting', async () => {
    await using at = await stage({ silenceMs: 2 * short });
    const client = at.client();
    client.socket.pause();
    client.send('GET /big HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(500));
    await once(at.server.server, 'request');
    const [unread] = at.accepted;
    expect(await at.quick()).toBe('quick');
    if (unread?.destroyed === false) await once(unread, 'close');
    client.socket.destroy();
  });

  it('that waits for an answer which takes longer than anybody may be silent gets it', async () => {
    await using at = await stage({ silenceMs: short });
    const client = at.client().send('GET /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    await at.waiting;
    await Promise.all(at.accepted.map((socket) => once(socket, 'timeout')));
    at.finish('the slow answer');
    await client.closed;
    expect(client.received).toContain('the slow answer');
  });

  it('that stops reading such an answer is cut off', async () => {
    await using at = await stage({ silenceMs: short });
    const client = at.client().send('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
    client.socket.pause();
    await at.waiting;
    await Promise.all(at.accepted.map((socket) => once(socket, 'timeout')));
    expect(at.accepted.map(({ destroyed }) => destroyed)).toEqual([false]);
    at.finish(big.toString('latin1'));
    await Promise.all(at.accepted.map((socket) => once(socket, 'close')));
    expect(await at.quick()).toBe('quick');
    client.socket.destroy();
  });

  it('that keeps its connection and asks nothing more is cut off', async () => {
    await using at = await stage({ keepAliveMs: short });
    const client = at.client().send(`${head}\r\n`);
    await client.closed;
    expect(client.received).toContain('quick');
  });
});

it('crowds of half requests keep nobody else out, and are gone in the end', {
  timeout: 120_000,
}, async () => {
  const crowd = count({ small: 300, long: 5_000 });
  await using at = await stage({ connections: crowd + 10, headersMs: 1_000, silenceMs: 60_000 });
  const clients = Array.from({ length: crowd }, () => at.client().send(head));
  while (at.accepted.length < crowd) await once(at.server.server, 'connection');
  expect(await at.quick()).toBe('quick');
  await Promise.all(clients.map(({ closed }) => closed));
  expect(await at.quick()).toBe('quick');
});

it('connections beyond the most are closed at once, and there is room again when others are gone', async () => {
  const connections = 20;
  await using at = await stage({ connections });
  const clients = Array.from({ length: connections }, () => at.client().send(head));
  while (at.accepted.length < connections) await once(at.server.server, 'connection');
  await at.client().closed;
  for (const { socket } of clients) socket.destroy();
  await Promise.all(at.accepted.map((socket) => socket.destroyed || once(socket, 'close')));
  expect(await at.quick()).toBe('quick');
});

describe('a server that stops', () => {
  it('finishes what it has begun, and waits for no half request, idle connection or silence', async () => {
    const at = await stage({});
    const inFlight = at.client().send('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
    const idle = at.client().send(`${head}\r\n`);
    const others = [at.client(), at.client().send(head), idle];
    await at.waiting;
    while (!idle.received.includes('quick')) await once(idle.socket, 'data');
    while (at.accepted.length < 4) await once(at.server.server, 'connection');
    const stopped = at.server.close();
    at.finish('the slow answer');
    await Promise.all([stopped, inFlight.closed, ...others.map(({ closed }) => closed)]);
    expect(inFlight.received).toContain('the slow answer');
  });

  it('waits so long and no longer for what does not end', async () => {
    const at = await stage({ drainMs: short });
    const never = at.client().send('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
    const unread = at.client().send('GET /big HTTP/1.1\r\nhost: a\r\n\r\n');
    unread.socket.pause();
    await at.waiting;
    await Promise.all([at.server.close(), never.closed]);
    expect(at.accepted.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    unread.socket.destroy();
  });
});

it('the limits fit into each other', () => {
  expect(httpLimits.headersMs).toBeLessThanOrEqual(httpLimits.requestMs);
  expect(httpLimits.requestMs).toBeLessThan(httpLimits.silenceMs);
  expect(httpLimits.drainMs).toBeLessThan(serviceStopLimitMs);
});
