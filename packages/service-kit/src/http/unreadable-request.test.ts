import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { problemSchema } from '@steward/shared/problems/problem';
import { expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { createHttpServer } from './http-server.ts';

async function exchange(sent: string): Promise<{ head: string; body: unknown }> {
  const server = createHttpServer(
    createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
  );
  await server.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(sent);
  await once(socket, 'close');
  await server.close();
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return { head, body: JSON.parse(body) };
}

it.each([
  ['no HTTP', 'hello\r\n\r\n', 400, 'malformed-request'],
  [
    'two lengths',
    'GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
    'malformed-request',
  ],
  [
    'a header without end',
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'request-too-large',
  ],
])('%s is answered as a problem, and the connection closed', async (_what, sent, status, code) => {
  const { head, body } = await exchange(sent);
  expect(head).toContain(`HTTP/1.1 ${status} `);
  const details = problemSchema.parse(body);
  expect(details).toMatchObject({ status, code });
  expect(head).toContain(`x-request-id: ${details.requestId}`);
});

it('a path that is no URL is a problem with a request id, too', async () => {
  const { head, body } = await exchange('GET /%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  expect(head).toContain('HTTP/1.1 400 ');
  expect(head).toContain(`x-request-id: ${problemSchema.parse(body).requestId}`);
});
