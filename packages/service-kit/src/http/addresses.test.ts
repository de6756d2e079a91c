import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { below, isLoopback, listen, plainAddress, urlHere } from './addresses.ts';
import { checkHealth } from './asking.ts';
import { createHttpServer } from './http-server.ts';

function server() {
  return createHttpServer(createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr));
}

it('says in one line which variable to change when the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(
    listen(server(), { host: '127.0.0.1', port, hostVariable: 'API_HOST', portVariable: 'API_PORT' }),
  ).rejects.toThrow(
    `API_PORT: cannot listen on 127.0.0.1 port ${port}: another program uses it; stop that one or choose another port`,
  );
  other.close();
});

it('says so when the machine has no such address', async () => {
  await expect(
    listen(server(), { host: '203.0.113.1', port: 0, hostVariable: 'HOST', portVariable: 'PORT' }),
  ).rejects.toThrow('HOST: cannot listen on 203.0.113.1 port 0: this machine has no such address');
});

it('opens one listener for localhost, so that no second one goes without what is set up on the first', async () => {
  const app = server();
  await listen(app, { host: 'localhost', port: 0, hostVariable: 'HOST', portVariable: 'PORT' });
  expect(app.addresses()).toEqual([expect.objectContaining({ address: '127.0.0.1' })]);
  await app.close();
});

it.each([
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
  ['::1', 'http://[::1]:8080'],
  ['localhost', 'http://localhost:8080'],
])('reaches a service that listens on %s at %s', (host, url) => {
  expect(urlHere(host, 8080)).toBe(url);
});

it('finds a listening service healthy, also when it listens on every address', async () => {
  const app = server();
  app.get('/health', async () => ({}));
  await listen(app, { host: '0.0.0.0', port: 0, hostVariable: 'HOST', portVariable: 'PORT' });
  const { port } = app.server.address() as AddressInfo;
  await expect(checkHealth('0.0.0.0', port)).resolves.toEqual({});
  await app.close();
  await expect(checkHealth('0.0.0.0', port)).rejects.toThrow('does not answer: connect ECONNREFUSED');
});

it('finds a service unhealthy that answers anything but success', async () => {
  const app = server();
  await listen(app, { host: '127.0.0.1', port: 0, hostVariable: 'HOST', portVariable: 'PORT' });
  const { port } = app.server.address() as AddressInfo;
  await expect(checkHealth('127.0.0.1', port)).rejects.toThrow('answers 404');
  await app.close();
});

it.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.0.2.7', false],
  ['127.evil.example', false],
])('of %s, knows that being reachable from this machine alone is %s', (host, alone) => {
  expect(isLoopback(host)).toBe(alone);
});

it.each([
  ['http://host:8080', '/status', 'http://host:8080/status'],
  ['http://host/farm', '/status?since=1', 'http://host/farm/status?since=1'],
  ['http://host/farm/', 'ws', 'http://host/farm/ws'],
  ['https://user@host/a/b', '//elsewhere/status', 'https://user@host/a/b/elsewhere/status'],
])('below %s, %s is %s', (base, path, address) => {
  expect(below(new URL(base), path).href).toBe(address);
});

it.each([
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::7', '2001:db8::7'],
])('%s is written %s', (address, plain) => {
  expect(plainAddress(address)).toBe(plain);
});
