import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { createHttpServer, httpLimits } from './http-server.ts';

it('finishes requests in flight, refuses new ones on open connections with 503, and then ends', async () => {
  const server = createHttpServer(
    createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
  );
  const inside = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<string>();
  server.get('/slow', async () => {
    inside.resolve();
    return finish.promise;
  });
  server.get('/quick', async () => 'quick');
  const stopping = Promise.withResolvers<void>();
  server.addHook('preClose', async () => stopping.resolve());
  await server.listen({ host: '127.0.0.1', port: 0 });

  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
  await inside.promise;
  const closed = server.close();
  await stopping.promise;
  const arrived = once(server.server, 'request');
  socket.write('GET /quick HTTP/1.1\r\nhost: a\r\n\r\n');
  await arrived;
  finish.resolve('the slow answer');
  await Promise.all([closed, once(socket, 'close')]);

  expect(received).toContain('the slow answer');
  expect(received).toMatch(/HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*"code":"shutting-down"/);
  expect(received).not.toContain('quick');
});

it('waits for no request whose connection was taken over at once', { timeout: 10_000 }, async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const server = createHttpServer(
    createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
  );
  server.get('/stream', (_request, reply) => {
    const { raw } = reply.hijack();
    const { socket } = raw;
    if (socket === null) throw new Error('it has a connection');
    raw.detachSocket(socket);
    raw.emit('close');
    socket.end('taken over');
    return reply;
  });
  const inside = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<string>();
  server.get('/slow', async () => {
    inside.resolve();
    return finish.promise;
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const stream = connect(port, '127.0.0.1').resume();
  stream.write('GET /stream HTTP/1.1\r\nhost: a\r\n\r\n');
  await once(stream, 'close');

  // Its connection is open when it is answered, and nobody asks for more on it.
  const waiting = connect(port, '127.0.0.1').resume();
  waiting.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
  await inside.promise;
  const closed = server.close();
  while (server.server.listening) await turn();
  finish.resolve('the slow answer');
  await Promise.all([closed, once(waiting, 'close')]);
  expect(vi.getTimerCount()).toBe(0);
});

it('waits for what comes in by another listener, and no longer than for its own', {
  timeout: 10_000,
}, async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const server = createHttpServer(
    createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
  );
  const inside = Promise.withResolvers<void>();
  server.get('/never', () => {
    inside.resolve();
    return new Promise(() => {});
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const other = createServer((request, response) => server.server.emit('request', request, response));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((other.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /never HTTP/1.1\r\nhost: a\r\n\r\n');
  await inside.promise;

  let isClosed = false;
  const ended = once(server.server, 'close');
  const closed = server.close().then(() => {
    isClosed = true;
  });
  await ended;
  vi.advanceTimersByTime(httpLimits.drainMs - 1);
  await turn();
  expect(isClosed).toBe(false);
  vi.advanceTimersByTime(1);
  await closed;
  socket.destroy();
  other.close();
});

it('leaves nothing behind that would keep the server until its limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const server = createHttpServer(
    createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
  );
  await server.close();
  expect(vi.getTimerCount()).toBe(0);
});
