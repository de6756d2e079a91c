import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Agent, request as httpsRequest } from 'node:https';
import { request as httpRequest, Agent as PlainAgent } from '@steward/service-kit/http/node-http';
import { proxyAgent } from '../../platform/library-proxy.ts';
import type { ProxyAddress, ProxyFor } from '../../platform/proxy.ts';

const answerLimitMs = 10_000;
/** The platform's lists are a few kilobytes; whatever else somebody sends is not read to its end. */
const bodyLimit = 256 * 1024;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A GET over the same way that the platform libraries and the download take. A switch of protocols counts as an answer, too. */
export function ask(url: URL, route: Route, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { headers, signal: AbortSignal.timeout(answerLimitMs) };
    const proxy = route.proxyFor(url);
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: route.agent })
        : httpRequest(url, { ...options, agent: proxy && plainAgent(proxy) });
    request.on('response', (answer) => {
      begin(answer).then((body) => resolve(answerOf(answer, body)), reject);
    });
    request.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answerOf(answer, ''));
    });
    request.on('error', reject);
    request.end();
  });
}

/** As the download asks: an HTTP proxy for the whole URL, since many open tunnels to port 443 alone. */
function plainAgent(proxy: ProxyAddress): PlainAgent {
  return proxy.kind === 'socks'
    ? proxyAgent(proxy)
    : new PlainAgent({ proxyEnv: { HTTP_PROXY: proxy.url.reveal() } });
}

async function begin(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > bodyLimit) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: string): Answer {
  return { status: statusCode, headers, body };
}

/** How the platform's hosts are reached. */
export interface Route {
  readonly proxyFor: ProxyFor;
  readonly agent: Agent;
}
