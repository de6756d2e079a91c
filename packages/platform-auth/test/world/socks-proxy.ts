import { connect, createServer, type Socket } from 'node:net';

/** A SOCKS5 proxy that hands every tunnel to an HTTP proxy, and keeps the names that it was asked for. */
export async function startSocksProxy(httpProxy: string) {
  const { hostname, port } = new URL(httpProxy);
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => client.destroy()).on('close', () => sockets.delete(client));
    client.once('data', () => {
      client.write(Buffer.of(5, 0));
      client.once('data', (request) => {
        const target = targetOf(request);
        asked.push(target);
        const upstream = connect(Number(port), hostname, () => {
          upstream.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
          upstream.once('data', () => {
            client.write(Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
            client.pipe(upstream).pipe(client);
          });
        });
        upstream.on('error', () => client.destroy());
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `socks5://127.0.0.1:${listening}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const addressOfFour = 1;
const domainName = 3;

/** Names reach the proxy unresolved; only what is an address from the beginning comes as one. */
function targetOf(request: Buffer): string {
  if (request[3] === addressOfFour) return `${request.subarray(4, 8).join('.')}:${request.readUInt16BE(8)}`;
  if (request[3] !== domainName) return 'something else';
  const length = request[4] ?? 0;
  const name = request.subarray(5, 5 + length).toString('latin1');
  return `${name}:${request.readUInt16BE(5 + length)}`;
}
