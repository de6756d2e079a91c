import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Route } from './route.ts';

const answerLimitMs = 10_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A GET over the same way that the platform libraries take. A switch of protocols counts as an answer, too. */
export function ask(
  url: URL,
  route: Pick<Route, 'agent'>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const options = { headers, signal: AbortSignal.timeout(answerLimitMs) };
    const request = isSecure
      ? httpsRequest(url, { ...options, agent: route.agent })
      : httpRequest(url, options);
    request.on('response', (answer) => {
      text(answer).then((body) => resolve(answerOf(answer, body)), reject);
    });
    request.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answerOf(answer, ''));
    });
    request.on('error', reject);
    request.end();
  });
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: string): Answer {
  return { status: statusCode, headers, body };
}
