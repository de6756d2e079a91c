import { once } from 'node:events';
import { createServer as createHttpsServer, request } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { mintCertificates } from '@steward/platform-emulator/transport/certificates';
import { expect, it } from 'vitest';
import { libraryProxy } from '../src/platform/library-proxy.ts';

const direct = () => undefined;
const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it('a connection that is taken and never answered is closed', async () => {
  const server = createServer((socket) => socket.resume());
  const port = await portOf(server);
  const taken = once(server, 'connection');
  const asking = request({ host: '127.0.0.1', port, headers: upgrade, ...libraryProxy(direct, 50) });
  asking.on('error', () => {}).end();
  const [socket] = (await taken) as [Socket];
  await once(socket, 'close');
  expect(asking.destroyed).toBe(true);
  server.close();
});

it('a WebSocket that was answered may be silent for longer', async () => {
  const { caPem: ca, certPem: cert, keyPem: key } = await mintCertificates(['localhost']);
  const server = createHttpsServer({ cert, key });
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  const port = await portOf(server);
  const where = { host: '127.0.0.1', servername: 'localhost', port, ca };
  const asking = request({ ...where, headers: upgrade, ...libraryProxy(direct) });
  asking.end();
  const [, socket] = (await once(asking, 'upgrade')) as [unknown, Socket];
  // As Node says it once the time is over.
  socket.emit('timeout');
  expect(socket.destroyed).toBe(false);
  socket.destroy();
  server.close();
});
