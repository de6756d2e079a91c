import { Agent, type AgentOptions, type RequestOptions, request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { request as plainRequest } from '@steward/service-kit/http/node-http';
import { hostOf, loginOf } from './proxy.ts';

/** From the first packet to the proxy's answer. */
const answerLimitMs = 5_000;

type Done = (error: Error | null, socket: Duplex) => void;

/**
 * TLS through the tunnels of an HTTP proxy. The agents of the platform's libraries send a password as a URL writes it, with its escapes;
 * they and Node's own leave a tunnel that was refused, or came too late, open with nobody who hears of its errors.
 */
export class TunnelAgent extends Agent {
  readonly #proxy: URL;

  constructor(proxy: string, options: AgentOptions = {}) {
    super(options);
    this.#proxy = new URL(proxy);
  }

  override createConnection(options: RequestOptions, done: Done): undefined {
    const failed = done as (error: Error) => void;
    const { host, port } = options;
    const target = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
    const { protocol, port: proxyPort } = this.#proxy;
    const login = loginOf(this.#proxy);
    const given = login && Buffer.from(`${login.userId}:${login.password}`).toString('base64');
    const request = (protocol === 'https:' ? secureRequest : plainRequest)({
      method: 'CONNECT',
      protocol,
      host: hostOf(this.#proxy),
      port: proxyPort,
      path: target,
      agent: false,
      timeout: answerLimitMs,
      headers: given === undefined ? {} : { 'proxy-authorization': `Basic ${given}` },
    });
    request.on('connect', ({ statusCode, statusMessage }, socket, head) => {
      if (statusCode !== 200) {
        socket.destroy();
        failed(new Error(`Proxy CONNECT ${statusCode} ${statusMessage}`));
        return;
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      const secured = super.createConnection({ ...options, socket } as RequestOptions);
      done(null, secured as Duplex);
    });
    request.on('timeout', () => request.destroy(new Error('Proxy connection timed out')));
    // By this steam-user knows that no other of its servers would be reached either.
    request.on('error', (error) => failed(Object.assign(error, { proxyConnecting: true })));
    request.end();
  }
}
