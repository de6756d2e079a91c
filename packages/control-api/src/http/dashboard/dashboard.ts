import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { promisesBody } from '@steward/service-kit/http/bodies';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { createServer } from '@steward/service-kit/http/node-http';
import { originForm } from '@steward/service-kit/http/strange-requests';
import type { AnswerOf } from '@steward/shared/api/answers';
import { cardPage, cardStyle } from './card-page.ts';
import { answerOf, type PageFiles } from './page-files.ts';
import { badgeOf, type CardOptions, publicCard } from './public-card.ts';

export interface DashboardParts {
  /** What answers below `/api/`. */
  readonly app: HttpServer;
  readonly files: PageFiles;
  /** Origins of other farms, which the page may ask. */
  readonly farms: readonly string[];
  /** Undefined where nothing is public. */
  readonly card: CardOptions | undefined;
  readonly status: () => AnswerOf<'getStatus'>;
}

const apiFolder = /^\/api(?=\/(?!\/))/;
const publicSeconds = 30;

/** A listener of its own for the page, on which the same API answers below `/api/`: its three public paths stay three. */
export class Dashboard {
  readonly #parts: DashboardParts;
  readonly #server: Server;
  readonly #pageHeaders: Readonly<Record<string, string>>;

  constructor(parts: DashboardParts) {
    const { app, farms } = parts;
    this.#parts = parts;
    this.#pageHeaders = pageHeaders(farms);
    const api = app.server;
    this.#server = createServer(
      {
        headersTimeout: api.headersTimeout,
        // Node looks for who is too slow so often, and keeps that to itself.
        connectionsCheckingInterval: (api as { connectionsCheckingInterval?: number })
          .connectionsCheckingInterval,
        requireHostHeader: false,
      },
      (request, response) => this.#answer(request, response),
    );
    const server = this.#server;
    server.requestTimeout = api.requestTimeout;
    server.keepAliveTimeout = api.keepAliveTimeout;
    server.maxConnections = api.maxConnections;
    server.setTimeout(api.timeout);
    server.on('timeout', (socket) => api.emit('timeout', socket));
    server.on('clientError', (error, socket) => api.emit('clientError', error, socket));
    server.on('connect', (request, socket) => api.emit('connect', request, socket));
    server.on('checkExpectation', (request, response) => this.#answer(request, response));
    Object.assign(server, {
      shouldUpgradeCallback: (request: IncomingMessage) => this.#takesUpgrade(request),
    });
    server.on('upgrade', (request, socket: Socket, head) =>
      api.emit('upgrade', asApi(request), socket, head),
    );
  }

  async listen(host: string, port: number): Promise<number> {
    this.#server.listen(port, host === 'localhost' ? '127.0.0.1' : host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** To be called once the API is closed, which has ended its sockets and streams here, too. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = originForm(request);
    if (apiFolder.test(url)) {
      this.#parts.app.server.emit('request', asApi(request), response);
      return;
    }
    const { method = '' } = request;
    const [path = ''] = url.split('?', 1);
    // Nothing here reads a body, and Node would do so for as long as one comes.
    if (promisesBody(request.headers)) response.setHeader('connection', 'close');
    const found = method === 'GET' || method === 'HEAD' ? this.#found(path, request) : undefined;
    if (found === undefined) say(response, method, 404, 'Nothing is here');
    else if (found === 'unreadable') say(response, method, 503, 'The page cannot be read: the log says why');
    else send(response, method, 200, { ...this.#pageHeaders, ...found.headers }, found.body);
  }

  /** What is wrong with the page's files ends nothing: a farm is played meanwhile. */
  #found(path: string, request: IncomingMessage) {
    try {
      return this.#find(path, request);
    } catch (error) {
      this.#parts.app.log.error({ err: error }, 'the page cannot be shown');
      return 'unreadable' as const;
    }
  }

  #find(path: string, { headers }: IncomingMessage) {
    const { files, card, status } = this.#parts;
    if (path.startsWith('/public/')) {
      if (card === undefined) return undefined;
      const shown = publicCard(status(), card);
      const made = {
        '/public/': ['text/html; charset=utf-8', () => cardPage(shown)],
        '/public/card.css': ['text/css; charset=utf-8', () => cardStyle],
        '/public/status.json': ['application/json', () => `${JSON.stringify(shown)}\n`],
        '/public/badge.svg': ['image/svg+xml', () => badgeOf(shown)],
      } as const;
      if (!Object.hasOwn(made, path)) return undefined;
      const [type, text] = made[path as keyof typeof made];
      const body = Buffer.from(text());
      return { headers: { 'content-type': type, ...publicHeaders, 'content-length': body.length }, body };
    }
    if (path.startsWith('/api')) return undefined;
    const file = files.find(path);
    return file && answerOf(file, headers);
  }

  #takesUpgrade(request: IncomingMessage): boolean {
    if (!apiFolder.test(originForm(request))) return false;
    const { server } = this.#parts.app;
    const { shouldUpgradeCallback: takes } = server as {
      shouldUpgradeCallback?: (asked: unknown) => boolean;
    };
    const { method, headers, socket } = request;
    return takes?.({ method, headers, socket, url: strippedOf(request) }) ?? false;
  }
}

const publicHeaders = {
  'cache-control': `public, max-age=${publicSeconds}`,
  // A badge is for other sites.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** As the API sees it, which knows nothing of this listener. */
function asApi(request: IncomingMessage): IncomingMessage {
  request.url = strippedOf(request);
  return request;
}

function strippedOf(request: IncomingMessage): string {
  return originForm(request).replace(apiFolder, '');
}

function say(response: ServerResponse, method: string, status: number, words: string): void {
  send(response, method, status, { 'content-type': 'text/plain; charset=utf-8' }, Buffer.from(`${words}\n`));
}

function send(
  response: ServerResponse,
  method: string,
  status: number,
  headers: Readonly<Record<string, unknown>>,
  body: Buffer,
): void {
  response.writeHead(status, { 'x-content-type-options': 'nosniff', ...headers });
  response.end(method === 'HEAD' ? undefined : body);
}

/** Nothing that a name or a chat line holds can run, and nothing is asked of anybody but this server and the farms that are named. */
function pageHeaders(farms: readonly string[]): Record<string, string> {
  const others = farms.flatMap((origin) => [origin, origin.replace(/^http/, 'ws')]);
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "manifest-src 'self'",
      `connect-src ${["'self'", ...others].join(' ')}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}
