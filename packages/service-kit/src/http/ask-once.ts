import { get } from './node-http.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One GET, for a program that ends with its answer: loading Node's fetch would cost more than all the rest of it. */
export function askOnce(url: string, limitMs: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = get(url, { agent: false, signal: AbortSignal.timeout(limitMs) }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      text += piece;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    response.on('error', reject);
  });
  request.on('error', reject);
  return promise;
}
