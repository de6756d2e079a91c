import type { AgentOptions, ClientRequestArgs } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as secure } from 'node:tls';
import { Agent } from '@steward/service-kit/http/node-http';
import { hostOf, loginOf, type ProxyFor } from '../../platform/proxy.ts';
import { TunnelAgent } from '../../platform/tunnel-agent.ts';

/** How long a connection is kept that nobody uses: longer, and servers close it just as it is used again. */
const idleConnectionMs = 4_000;

/** The agent for one server, with connections that are used again, through the proxy that leads there. */
export function contentAgent(origin: URL, proxyFor: ProxyFor): Agent {
  const proxy = proxyFor(origin);
  const isSecure = origin.protocol === 'https:';
  const options = { keepAlive: true, timeout: idleConnectionMs, scheduling: 'lifo' } as const;
  if (proxy?.kind === 'socks') return new SocksAgent(new URL(proxy.url.reveal()), isSecure, options);
  const url = proxy?.url.reveal();
  if (isSecure) return url === undefined ? new SecureAgent(options) : new TunnelAgent(url, options);
  // Without TLS a proxy is asked for the whole URL, as Node's own agent does.
  return new Agent(url === undefined ? options : { ...options, proxyEnv: { HTTP_PROXY: url } });
}

const require = createRequire(import.meta.url);

/** The part of the package `socks` that is used here; it comes with the platform libraries. */
interface SocksLibrary {
  readonly SocksClient: {
    createConnection(options: {
      proxy: { host: string; port: number; type: 5; userId?: string; password?: string };
      command: 'connect';
      destination: { host: string; port: number };
      timeout: number;
    }): Promise<{ socket: Socket }>;
  };
}

const connectLimitMs = 10_000;

/** Connections through a SOCKS proxy, which resolves the names, kept and used again: the libraries' agent makes a new one for each request. */
class SocksAgent extends Agent {
  readonly #proxy: URL;
  readonly #isSecure: boolean;

  constructor(proxy: URL, isSecure: boolean, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
    this.#isSecure = isSecure;
    // What a request holds against its own protocol; the types keep silent about it.
    Object.assign(this, { protocol: isSecure ? 'https:' : 'http:' });
  }

  override createConnection(
    { host, port, servername = host }: ClientRequestArgs & { readonly servername?: string | null },
    done: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const target = { host: host ?? '', port: Number(port) };
    void this.#connect(target).then(
      (socket) => done(null, this.#isSecure ? secure({ socket, servername: servername ?? '' }) : socket),
      (error) => (done as (error: Error) => void)(error),
    );
  }

  async #connect(destination: { readonly host: string; readonly port: number }): Promise<Socket> {
    const host = hostOf(this.#proxy);
    const { socket } = await socksLibrary().SocksClient.createConnection({
      proxy: { host, port: Number(this.#proxy.port), type: 5, ...loginOf(this.#proxy) },
      command: 'connect',
      destination,
      timeout: connectLimitMs,
    });
    return socket;
  }
}

function socksLibrary(): SocksLibrary {
  const requireAsLibrary = createRequire(require.resolve('steam-user'));
  return createRequire(requireAsLibrary.resolve('socks-proxy-agent'))('socks');
}
