import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Changes } from '@steward/testing/changes';

/** What a receiver does with a request, from bad to worse. */
export const manners = [
  'takes it',
  '500',
  '404',
  '301',
  '429',
  'hangs',
  'hangs within the body',
  'resets before reading',
  'resets after reading',
  'drips',
  'speaks no HTTP',
] as const;

export type Manner = (typeof manners)[number] | '410';

export interface Request {
  readonly id: string;
  readonly signature: string | undefined;
  readonly body: string;
  readonly manner: Manner;
}

const patienceMs = 60_000;

/** A receiver on this machine that fails in every way. */
export class Receiver implements AsyncDisposable {
  readonly requests: Request[] = [];
  readonly #manner: () => Manner;
  readonly #changes = new Changes();
  readonly #server: Server;

  constructor(manner: () => Manner) {
    this.#manner = manner;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.listen(0, '127.0.0.1');
  }

  async url(path = '/hook'): Promise<string> {
    if (!this.#server.listening) await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Resolves when that has come. */
  async until(isThere: (requests: readonly Request[]) => boolean, withinMs = patienceMs): Promise<void> {
    const look = () => isThere(this.requests) || undefined;
    const missing = () => `it has not come; the last were ${JSON.stringify(this.requests.slice(-3))}`;
    await this.#changes.until(look, { withinMs, missing });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const manner = this.#manner();
    const { socket, headers } = request;
    if (manner === 'resets before reading') {
      socket.resetAndDestroy();
      return;
    }
    // Who sends may be killed meanwhile.
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const id = String(headers['webhook-id']);
    const signature = headers['webhook-signature'];
    this.requests.push({
      id,
      signature: signature === undefined ? undefined : String(signature),
      body,
      manner,
    });
    this.#changes.told();
    switch (manner) {
      case 'takes it':
        response.writeHead(204).end();
        return;
      case '429':
        response.writeHead(429, { 'retry-after': '1' }).end();
        return;
      case '301':
        response.writeHead(301, { location: '/elsewhere' }).end();
        return;
      case 'hangs':
        return;
      case 'hangs within the body':
        response.writeHead(200).write('well');
        return;
      case 'resets after reading':
        socket.resetAndDestroy();
        return;
      case 'drips':
        drip(socket);
        return;
      case 'speaks no HTTP':
        socket.end('\u0016\u0003\u0001 hello\r\n\r\n');
        return;
      default:
        response.writeHead(Number(manner)).end('no');
    }
  }
}

/** A byte now and then, of a head that never ends. */
function drip(socket: IncomingMessage['socket']): void {
  socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
  const dripping = setInterval(() => socket.write('x'), 20);
  socket.once('close', () => clearInterval(dripping)).on('error', () => {});
}
