import { isLoopback, withoutBrackets } from '@steward/service-kit/http/addresses';
import { Secret } from '@steward/service-kit/secret';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import type { NoProxy } from './no-proxy.ts';

/** A proxy's address. It may hold a password, so it is kept like one. */
export interface ProxyAddress {
  readonly kind: 'http' | 'socks';
  readonly url: Secret;
}

export const proxySchemes = 'http://, https://, socks5:// or socks5h://';

const kinds = new Map<string, ProxyAddress['kind']>([
  ['http:', 'http'],
  ['https:', 'http'],
  ['socks5:', 'socks'],
  ['socks5h:', 'socks'],
]);

const defaultPorts = new Map([
  ['http:', '80'],
  ['https:', '443'],
  ['socks5:', '1080'],
  ['socks5h:', '1080'],
]);

const endsWithPort = /:\d+\/?$/;

/**
 * `host:port` means an HTTP proxy, as everywhere. A host alone does not: programs take different ports for it, and more likely it
 * is a slip.
 */
export function parseProxy(text: string): Parsed<ProxyAddress> {
  if (!text.includes('://') && !endsWithPort.test(text)) return refused('has neither a scheme nor a port');
  const address = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(address)) return refused('is not a URL');
  const url = new URL(address);
  const kind = kinds.get(url.protocol);
  if (kind === undefined) return refused(`does not begin with ${proxySchemes}`);
  if (url.hostname === '') return refused('names no host');
  if (!isDecodable(url)) return refused('has a % in its user or password that begins no escape: write %25');
  return accepted({ kind, url: new Secret(canonical(url)) });
}

function isDecodable(url: URL): boolean {
  try {
    loginOf(url);
    return true;
  } catch {
    return false;
  }
}

/** What it asks for, as it is meant and not as a URL writes it; undefined where it asks for nothing. */
export function loginOf({ username, password }: URL): { userId: string; password: string } | undefined {
  if (username === '') return undefined;
  return { userId: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** As a socket is told it. */
export function hostOf({ hostname }: URL): string {
  return withoutBrackets(hostname);
}

/**
 * Names are always resolved by the SOCKS proxy: that works on a machine without DNS of its own too, and there nothing else
 * would. The libraries read an HTTP proxy's port from the URL and know no default.
 */
function canonical(url: URL): string {
  const port = url.port || defaultPorts.get(url.protocol);
  const scheme = url.protocol.startsWith('socks5') ? 'socks5h:' : url.protocol;
  const login = url.username === '' ? '' : `${url.username}${url.password && `:${url.password}`}@`;
  return `${scheme}//${login}${url.hostname}:${port}`;
}

export interface ProxySettings {
  readonly PLATFORM_PROXY: ProxyAddress | undefined;
  readonly HTTPS_PROXY: ProxyAddress | undefined;
  readonly ALL_PROXY: ProxyAddress | undefined;
  readonly NO_PROXY: NoProxy;
}

/** The variables in the order in which they count. */
const proxyVariables = ['PLATFORM_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const;

/** The one that names the proxy. */
export function proxyVariable(settings: ProxySettings): (typeof proxyVariables)[number] | undefined {
  return proxyVariables.find((name) => settings[name] !== undefined);
}

/** The proxy that leads to a URL of the platform; undefined means straight there. */
export type ProxyFor = (url: URL) => ProxyAddress | undefined;

/** One proxy for all of the platform's hosts, but for those that `NO_PROXY` excepts and for this machine. */
export function chooseProxies(settings: ProxySettings): ProxyFor {
  const name = proxyVariable(settings);
  const proxy = name && settings[name];
  return (url) => (isDirect(url, settings.NO_PROXY) ? undefined : proxy);
}

function isDirect(url: URL, noProxy: NoProxy): boolean {
  return isLoopback(hostOf(url)) || noProxy.covers(url);
}
