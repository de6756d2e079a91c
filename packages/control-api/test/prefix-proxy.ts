import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A reverse proxy that serves another server below a path of its own, and nothing anywhere else. As they are until they are
 * told otherwise, it passes no upgrade on.
 */
export async function startPrefixProxy(origin: string, prefix: string) {
  const proxy = createServer((incoming, answer) => {
    const { method, url = '' } = incoming;
    const { connection: _connection, upgrade: _upgrade, ...headers } = incoming.headers;
    if (!url.startsWith(`${prefix}/`)) {
      answer.writeHead(404).end('not below the prefix');
      return;
    }
    const forwarded = request(`${origin}${url.slice(prefix.length)}`, { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.on('error', () => answer.destroy()).pipe(answer);
    });
    forwarded.on('error', () => answer.destroy());
    answer.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
