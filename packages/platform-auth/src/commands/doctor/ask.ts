import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type Agent, request as httpsRequest } from 'node:https';
import { proxyAgent } from '../../platform/library-proxy.ts';
import type { ProxyFor } from '../../platform/proxy.ts';

const answerLimitMs = 10_000;
/** The platform's lists are a few kilobytes; whatever else somebody sends is not read to its end. */
const bodyLimit = 256 * 1024;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A GET over the same way that the platform libraries take. A switch of protocols counts as an answer, too. */
export function ask(url: URL, route: Route, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { headers, signal: AbortSignal.timeout(answerLimitMs) };
    const proxy = route.proxyFor(url);
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: route.agent })
        : httpRequest(url, { ...options, agent: proxy && proxyAgent(proxy, 'plain') });
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
