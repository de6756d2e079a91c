import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer, request as send } from '@steward/service-kit/http/node-http';
import { type FaultPlan, lateness } from '../faults/fault-plan.ts';
import type { RequestRecord } from '../record/request-record.ts';
import { type Entrance, isPlatformHost, loopback } from './addresses.ts';

interface ProxyParts {
  readonly faults: FaultPlan;
  readonly record: RequestRecord;
  readonly entrance: Entrance;
  /** Takes over a tunnel to one of the platform's hosts; TLS begins on it next. */
  readonly accept: (socket: Duplex) => void;
}

/**
 * The HTTP proxy that clients are pointed at: the platform's hosts end here, loopback is tunnelled under its own name and
 * under the entrance's, nothing else is reached.
 */
export function startProxy(parts: ProxyParts): Promise<Listening> {
  const server = createServer((request, response) => forward(parts, request, response));
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that hangs up is no event of the emulator's.
    socket.on('error', () => undefined);
    if (head.length > 0) socket.unshift(head);
    void openTunnel(parts, request.url ?? '', socket);
  });
  return listen(server, parts.entrance);
}

/** Plain HTTP is asked for by its whole URL, and carried to loopback. */
function forward({ record, entrance }: ProxyParts, request: IncomingMessage, response: ServerResponse): void {
  const url = URL.parse(request.url ?? '');
  if (url === null || !isHere(url.hostname, entrance)) {
    response.writeHead(url === null ? 405 : 502, { 'content-type': 'text/plain' });
    response.end('This proxy serves CONNECT, and plain HTTP to loopback.\n');
    return;
  }
  const entry = record.add({ kind: 'proxy', host: url.host, path: request.method ?? '' });
  const { method, headers } = request;
  const upstream = send(url, { hostname: loopback, method, headers }, (answer) => {
    record.finish(entry, answer.statusCode);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}

async function openTunnel(
  { faults, record, accept, entrance }: ProxyParts,
  host: string,
  socket: Duplex,
): Promise<void> {
  const facts = { kind: 'proxy', host, path: 'CONNECT' } as const;
  const entry = record.add(facts);
  const fault = faults.decide(facts);
  const late = lateness(fault);
  if (late !== undefined) await late;
  if (fault.stallAtByte !== undefined) return;
  if (fault.resetAtByte !== undefined) {
    socket.destroy();
    return;
  }
  const status = fault.status ?? (isReachable(host, entrance) ? 200 : 502);
  record.finish(entry, status);
  if (status !== 200) {
    socket.end(`HTTP/1.1 ${status} Refused by the platform emulator\r\nContent-Length: 0\r\n\r\n`);
    return;
  }
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (isPlatformHost(hostname(host))) accept(socket);
  else tunnel(socket, connect(Number(host.slice(host.lastIndexOf(':') + 1)), loopback));
}

function tunnel(client: Duplex, upstream: Socket): void {
  upstream.on('error', () => client.destroy());
  client.on('close', () => upstream.destroy());
  client.pipe(upstream).pipe(client);
}

function isReachable(host: string, entrance: Entrance): boolean {
  return isPlatformHost(hostname(host)) || isHere(hostname(host), entrance);
}

function isHere(hostname: string, { name }: Entrance): boolean {
  return hostname === loopback || hostname === name;
}

function hostname(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** A server whose open sockets can all be ended at once. */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // A server that listens on TCP always has such an address.
  const bound = server.address() as AddressInfo;
  return {
    port: bound.port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
