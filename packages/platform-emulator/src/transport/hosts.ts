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
