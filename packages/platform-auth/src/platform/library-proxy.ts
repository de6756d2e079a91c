import type { ClientRequest } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import { createRequire } from 'node:module';
import type { ProxyAddress, ProxyFor } from './proxy.ts';

const require = createRequire(import.meta.url);

/** As both platform libraries take it. */
export interface LibraryProxy {
  readonly agent: Agent;
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
    const taker = proxy === undefined ? this.#direct : proxyAgent(proxy, 'tls');
    // They forget a WebSocket that is never answered, and leave it open for as long as the other end does. Node lifts this with the upgrade.
    request.setTimeout(this.#silenceMs, () => request.destroy());
    taker.addRequest(request, options);
  }
}

/**
 * The libraries' own agents, for what is spoken through the proxy: they know from their errors whether the proxy is at fault.
 */
export function proxyAgent({ kind, url }: ProxyAddress, spoken: 'tls' | 'plain'): Agent & RequestTaker {
  const requireAsLibrary = createRequire(require.resolve('steam-user'));
  if (kind === 'socks') {
    const { SocksProxyAgent }: { SocksProxyAgent: new (url: string) => Agent & RequestTaker } =
      requireAsLibrary('socks-proxy-agent');
    return new SocksProxyAgent(url.reveal());
  }
  const http: { getProxyAgent(isSecure: boolean, url: string): Agent & RequestTaker } =
    requireAsLibrary('@doctormckay/stdlib').HTTP;
  return http.getProxyAgent(spoken === 'tls', url.reveal());
}

function urlOf({ host, port }: RequestOptions): URL {
  const name = host ?? 'localhost';
  return new URL(`https://${name.includes(':') ? `[${name}]` : name}:${port ?? 443}`);
}
