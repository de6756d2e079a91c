import type { Agent, IncomingHttpHeaders } from 'node:http';
import { causeInWords, OperatorError } from '../process/errors.ts';
import { urlHere } from './addresses.ts';
import * as plain from './node-http.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Asking extends Asked {
  /** Ends it, whatever has come by then. */
  readonly signal: AbortSignal;
  /** Whoever answers may not make it longer. */
  readonly mostBytes: number;
  /** Without one it has a connection of its own. */
  readonly agent?: Agent;
}

/**
 * One request, a GET where nothing else is said: loading Node's fetch would cost a program more than all the rest of it. It follows
 * no redirect and goes to no proxy, whatever the environment names.
 */
export function ask(url: URL | string, { body, mostBytes, agent, ...asked }: Asking): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { request } = moduleFor(url);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const headers = { ...asked.headers, ...length };
  const asking = request(url, { ...asked, headers, agent: agent ?? false }, (response) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > mostBytes) response.destroy(new Error(`the answer is longer than ${mostBytes} bytes`));
    });
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(pieces).toString(),
      }),
    );
    response.on('error', reject);
  });
  asking.on('error', reject).end(body);
  return promise;
}

/** Keeps connections open between one request and the next. */
export function keepingAgent(url: URL): Agent {
  const { Agent } = moduleFor(url);
  return new Agent({ keepAlive: true });
}

/** Of the two, TLS is loaded where it is spoken. */
function moduleFor(url: URL | string): Pick<typeof import('node:http'), 'request' | 'Agent'> {
  return new URL(url).protocol === 'https:' ? process.getBuiltinModule('node:https') : plain;
}

/** Far above any answer of ours. */
const mostOfOurs = 16 * 1024 * 1024;

/** The same for a program that ends with its answer. */
export function askOnce(url: string, limitMs: number, asked: Asked = {}): Promise<Answer> {
  return ask(url, { ...asked, signal: AbortSignal.timeout(limitMs), mostBytes: mostOfOurs });
}

/** The text of an answer, which whoever answers may not make longer than this; otherwise throws, and reads no further. */
export async function textWithin({ body }: Response, mostBytes: number): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new Error(`the answer is longer than ${mostBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** An answer that takes longer is as bad as none. */
const answerLimitMs = 2_000;

/** What a container's health check runs: fails unless the service on this machine answers 200. Resolves to the answer. */
export async function checkHealth(host: string, port: number): Promise<unknown> {
  const url = `${urlHere(host, port)}/health`;
  try {
    const { status, text } = await askOnce(url, answerLimitMs);
    if (status === 200) return JSON.parse(text);
    throw new OperatorError(`${url} answers ${status}`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${url} does not answer: ${causeInWords(error)}`);
  }
}
