import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request on its way, and of its answer on the way back. */
export const fates = [
  'passes',
  'never arrives',
  'arrives, and its answer is lost',
  'arrives, and half of its answer comes back',
  'arrives, and the proxy says 502',
  'never arrives, and the proxy says 503',
  'arrives after its client has gone',
] as const;

export type ProxyFate = (typeof fates)[number];

/** A proxy that loses requests and answers, each as `fateOf` says. */
export async function startCuttingProxy(port: number, fateOf: (request: IncomingMessage) => ProxyFate) {
  const met: ProxyFate[] = [];
  const underWay = new Set<ClientRequest>();
  const forwarded = ({ method, url, headers }: IncomingMessage) => {
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers });
    underWay.add(sent);
    // Read in any case, so that the connection is free again.
    sent.once('response', (answer) => answer.resume()).once('close', () => underWay.delete(sent));
    return sent.on('error', () => {}).end();
  };
  const proxy = createServer((incoming, answer) => {
    const fate = fateOf(incoming);
    met.push(fate);
    if (fate === 'never arrives') return incoming.socket.destroy();
    if (fate === 'never arrives, and the proxy says 503') return page(answer, 503);
    if (fate === 'arrives after its client has gone') {
      incoming.socket.once('close', () => forwarded(incoming));
      return incoming.socket.destroy();
    }
    forwarded(incoming).once('response', (from) => {
      if (fate === 'arrives, and its answer is lost') answer.destroy();
      else if (fate === 'arrives, and the proxy says 502') page(answer, 502);
      else if (fate === 'passes') {
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
      } else {
        const { 'content-length': _length, ...headers } = from.headers;
        answer.writeHead(from.statusCode ?? 502, { ...headers, 'transfer-encoding': 'chunked' });
        from.once('data', (chunk: Buffer) =>
          answer.write(chunk.subarray(0, chunk.length / 2), () => answer.destroy()),
        );
      }
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    met,
    /** Resolves when whatever has arrived is answered, its client there or not. */
    async quiet(): Promise<void> {
      while (underWay.size > 0) await Promise.all([...underWay].map((sent) => once(sent, 'close')));
    },
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

function page(answer: ServerResponse, status: number): void {
  answer.writeHead(status, { 'content-type': 'text/html' }).end('<html>bad gateway</html>');
}
