/**
 * The names by which clients reach the platform. The connection manager keeps one name for good: the libraries keep
 * its list for five minutes in a module's memory, across clients and tests, and the proxy makes its port irrelevant.
 */
export const webApiHost = 'api.steampowered.com';
const loginHost = 'login.steampowered.com';
export const connectionManager = 'cm-emulator.steamserver.net:443';

export const certifiedHosts = [webApiHost, loginHost, '*.steamserver.net'] as const;

export function isPlatformHost(hostname: string): boolean {
  return hostname === webApiHost || hostname === loginHost || hostname.endsWith('.steamserver.net');
}

export const loopback = '127.0.0.1';

/** Where the emulator's proxy listens, and by which name clients reach it. Everything else it has stays on loopback. */
export interface Entrance {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** What the content servers are called, too: clients reach them through the proxy. */
  readonly name: string;
}

export const loopbackEntrance: Entrance = { host: loopback, port: 0, name: loopback };
