import { connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { mintCertificates } from '@steward/platform-emulator/transport/certificates';

/** The same HTTP server or proxy, reached over TLS under the name localhost. */
export async function startTlsFront(plainUrl: string, listenOn = 'localhost') {
  const { hostname, port } = new URL(plainUrl);
  const { caPem, certPem, keyPem } = await mintCertificates(['localhost']);
  const sockets = new Set<TLSSocket>();
  let connections = 0;
  const server = createServer({ cert: certPem, key: keyPem }, (socket) => {
    connections += 1;
    sockets.add(socket);
    const upstream = connect(Number(port), hostname);
    socket.on('error', () => upstream.destroy()).on('close', () => sockets.delete(socket));
    upstream.on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, listenOn, resolve));
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `https://${listenOn}:${listening}`,
    caPem,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
