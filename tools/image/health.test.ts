import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';

const script = join(import.meta.dirname, 'health.sh');

let server: Server | undefined;

afterEach(() => server?.close().closeAllConnections());

async function listening(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  server = createServer(listener).listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function health(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const child = spawn('bash', [script, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  return code;
}

const answers =
  (status: number): RequestListener =>
  ({ url }, response) =>
    response.writeHead(url === '/health' ? status : 404).end('{}');

it('passes where /health answers 200, at the port that is meant where no variable names one', async () => {
  const port = await listening(answers(200));
  expect(await health(['API_', String(port)])).toBe(0);
  expect(await health(['', String(port)])).toBe(0);
});

it('asks where the variables say that the service listens', async () => {
  const port = String(await listening(answers(200), '127.0.0.3'));
  expect(await health(['API_', '1'], { API_HOST: '127.0.0.3', API_PORT: port })).toBe(0);
  expect(await health(['', '1'], { HOST: '127.0.0.3', PORT: port })).toBe(0);
  expect(await health(['API_', '1'], { HOST: '127.0.0.3', PORT: port })).not.toBe(0);
});

it.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])('asks this machine of a service that listens to all of its addresses, %s', async (HOST, host) => {
  const port = await listening(answers(200), host);
  expect(await health(['', '1'], { HOST, PORT: String(port) })).toBe(0);
});

it.each([404, 500, 503])('fails where the answer is %d', async (status) => {
  expect(await health(['', String(await listening(answers(status)))])).not.toBe(0);
});

it('fails where nobody listens, and where what listens says nothing', async () => {
  const port = await listening((request) => request.socket.end());
  expect(await health(['', String(port)])).not.toBe(0);
  server?.close();
  expect(await health(['', String(port)])).not.toBe(0);
});

it.each(['false', 'FALSE'])('passes where the API is switched off, by %s', async (API_ENABLED) => {
  expect(await health(['API_', '1'], { API_ENABLED })).toBe(0);
  expect(await health(['', '1'], { API_ENABLED })).not.toBe(0);
});
