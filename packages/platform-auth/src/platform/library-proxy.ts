import type { ClientRequest } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import { createRequire } from 'node:module';
import { hostOf, loginOf, type ProxyAddress, type ProxyFor } from './proxy.ts';
import { TunnelAgent } from './tunnel-agent.ts';

const require = createRequire(import.meta.url);

/** As both platform libraries take it. */
export interface LibraryProxy {
  readonly agent: Agent;
}

/** The part of the package that is used here; it comes with the platform libraries. */
interface SocksProxyLibrary {
  readonly SocksProxyAgent: new (proxy: {
    readonly protocol: string;
    readonly hostname: string;
    readonly port: string;
    readonly userId?: string;
    readonly password?: string;
  }) => Agent & RequestTaker;
}

/** What Node calls an agent with; its types keep silent about it. */
interface RequestTaker {
  addRequest(request: ClientRequest, options: RequestOptions): void;
}

/** Longer than both libraries wait for anything. */
const silenceMs = 60_000;

/** Both libraries know one proxy for everything; their agent decides for each host instead. */
export function libraryProxy(proxyFor: ProxyFor, longestSilenceMs = silenceMs): LibraryProxy {
  return { agent: new RoutingAgent(proxyFor, longestSilenceMs) };
}

class RoutingAgent extends Agent implements RequestTaker {
  readonly #proxyFor: ProxyFor;
  readonly #silenceMs: number;
  readonly #direct = new Agent({ keepAlive: false }) as Agent & RequestTaker;

  constructor(proxyFor: ProxyFor, longestSilenceMs: number) {
    super();
    this.#proxyFor = proxyFor;
    this.#silenceMs = longestSilenceMs;
  }

  addRequest(request: ClientRequest, options: RequestOptions): void {
    const proxy = this.#proxyFor(urlOf(options));
    const taker = proxy === undefined ? this.#direct : proxyAgent(proxy);
    // They forget a WebSocket that is never answered, and leave it open for as long as the other end does. Node lifts this with the upgrade.
    request.setTimeout(this.#silenceMs, () => request.destroy());
    taker.addRequest(request, options);
  }
}

/** For SOCKS the libraries' own: they know from its errors that the proxy is at fault. */
export function proxyAgent({ kind, url }: ProxyAddress): Agent & RequestTaker {
  if (kind === 'http') return new TunnelAgent(url.reveal()) as TunnelAgent & RequestTaker;
  const { SocksProxyAgent }: SocksProxyLibrary = createRequire(require.resolve('steam-user'))(
    'socks-proxy-agent',
  );
  const address = new URL(url.reveal());
  const { protocol, port } = address;
  // It takes a URL as well, and sends the escapes of its password.
  return new SocksProxyAgent({ protocol, hostname: hostOf(address), port, ...loginOf(address) });
}

function urlOf({ host, port }: RequestOptions): URL {
  const name = host ?? 'localhost';
  return new URL(`https://${name.includes(':') ? `[${name}]` : name}:${port ?? 443}`);
}
