import { Agent, request } from 'node:http';
import type { Answer } from './documented-answers.ts';

export interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
}

/** A client that keeps its connections, before the server's real listener. */
export class SocketClient implements Disposable {
  readonly port: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(port: number) {
    this.port = port;
  }

  ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
    // A body without its length would be read as the next request.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { host: '127.0.0.1', port: this.port, method, path, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, headers: { ...headers, ...length } }, (answer) => {
        const { statusCode = 0, headers } = answer;
        // It has no end.
        if (headers['content-type']?.startsWith('text/event-stream') === true) {
          answer.destroy();
          return resolve({ statusCode, headers, body: '' });
        }
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ statusCode, headers, body: text }));
        answer.on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
