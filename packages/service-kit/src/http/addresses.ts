import { isIP } from 'node:net';
import { errorCode, OperatorError } from '../process/errors.ts';

/** By this name the framework would open a second listener for the other protocol, without what was set up on the first. */
const ipv4Loopback = '127.0.0.1';

const aboutTheHost = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'];

interface Listening {
  listen(at: {
    host: string;
    port: number;
    listenTextResolver: (address: string) => string;
  }): Promise<string>;
}

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
  readonly hostVariable: string;
  readonly portVariable: string;
}

/** Listens, or says in one line which variable to change. */
export async function listen(server: Listening, at: ListenPlace): Promise<void> {
  try {
    await server.listen({
      host: at.host === 'localhost' ? ipv4Loopback : at.host,
      port: at.port,
      listenTextResolver: (address) => `listening on ${address}`,
    });
  } catch (error) {
    const code = errorCode(error);
    const variable = aboutTheHost.includes(String(code)) ? at.hostVariable : at.portVariable;
    throw new OperatorError(
      `${variable}: cannot listen on ${at.host} port ${at.port}: ${reason(error, code)}`,
    );
  }
}

function reason(error: unknown, code: unknown): string {
  if (code === 'EADDRINUSE') return 'another program uses it; stop that one or choose another port';
  if (code === 'EACCES') return 'not permitted; choose a port above 1023';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'this machine has no such address';
  return error instanceof Error ? error.message : String(error);
}

const everyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Where this machine reaches a service that listens on `host`. */
export function urlHere(host: string, port: number): string {
  const address = everyAddress.get(host) ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/** As everything but a URL writes it: an IPv6 address without brackets. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** An address below another one, whose own path is kept: a proxy in front of a service may need it. */
export function below(base: URL, path: string): URL {
  const folder = new URL(base);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return new URL(path.replace(/^\/+/, ''), folder);
}

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** As some proxies tell it: with its port, by which each connection would be somebody else. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\]):\d+$/;

/** An address as everybody writes it, an IPv4 one also where a socket for both families has mapped it. */
export function plainAddress(address: string): string {
  const [, ipv4, ipv6] = withPort.exec(address) ?? [];
  const bare = ipv4 ?? ipv6 ?? address;
  return mappedIpv4.exec(bare)?.[1] ?? bare;
}
