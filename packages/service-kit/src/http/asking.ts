import { OperatorError } from '../process/errors.ts';
import { urlHere } from './addresses.ts';
import { request } from './node-http.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One request, a GET where nothing else is said, for a program that ends with its answer: loading Node's fetch would cost more than all the
 * rest of it. It goes to no proxy, whatever the environment names.
 */
export function askOnce(url: string, limitMs: number, asked: Asked = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const alone = { agent: false, signal: AbortSignal.timeout(limitMs) };
  const asking = request(url, { ...asked, ...alone }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      text += piece;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    response.on('error', reject);
  });
  asking.on('error', reject).end();
  return promise;
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
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new OperatorError(`${url} does not answer: ${cause instanceof Error ? cause.message : cause}`);
  }
}
