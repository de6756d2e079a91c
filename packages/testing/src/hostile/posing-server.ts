import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Whoever reads without a limit takes as much as this, and is seen to: it is far more than anybody may take. */
const mostSentBytes = 256 * 1_048_576;

/** A server on loopback that poses as another one, and answers as it likes. */
export async function posingServer(answer: RequestListener) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers with 200, and goes on until nobody reads it; resolves with how many bytes that were. */
export async function answerWithoutEnd(response: ServerResponse, type: string): Promise<number> {
  const piece = Buffer.alloc(65_536, ' ');
  let bytes = 0;
  response.writeHead(200, { 'content-type': type });
  const closed = once(response, 'close');
  const next = () => {
    while (!response.destroyed && bytes < mostSentBytes) {
      bytes += piece.length;
      if (!response.write(piece)) return void response.once('drain', next);
    }
    response.end();
  };
  next();
  await closed;
  return bytes;
}

/** Answers with 200 and a first byte, and never with another; resolves once nobody waits for one any more. */
export async function answerAndStall(response: ServerResponse, type: string): Promise<void> {
  response.writeHead(200, { 'content-type': type }).write(' ');
  await once(response, 'close');
}
