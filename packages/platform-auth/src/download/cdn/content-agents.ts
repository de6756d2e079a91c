import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { ProxyFor } from '../../platform/proxy.ts';
import { SocksAgent } from './socks-agent.ts';

/** How long a connection is kept that nobody uses: longer, and servers close it just as it is used again. */
const idleConnectionMs = 4_000;

/** The agent for one server, with connections that are used again, through the proxy that leads there. */
export function contentAgent(origin: URL, proxyFor: ProxyFor): Agent {
  const proxy = proxyFor(origin);
  const isSecure = origin.protocol === 'https:';
  const options = { keepAlive: true, timeout: idleConnectionMs, scheduling: 'lifo' } as const;
  if (proxy?.kind === 'socks') return new SocksAgent(new URL(proxy.url.reveal()), isSecure, options);
  // Node's own agents know plain requests by their whole URL, and tunnels for TLS.
  const url = proxy?.url.reveal();
  const proxied =
    url === undefined ? options : { ...options, proxyEnv: { HTTP_PROXY: url, HTTPS_PROXY: url } };
  return isSecure ? new SecureAgent(proxied) : new Agent(proxied);
}
