import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { problemContentType, problemSchema } from '@steward/shared/problems/problem';
import { rawExchange } from '@steward/testing/raw-exchange';
import { describe, expect, it } from 'vitest';
import { keptLog } from '../../test/kept-log.ts';
import { createLogger } from '../log/logger.ts';
import { createHttpServer } from './http-server.ts';

async function stage() {
  /** The statuses of what no hook sees. */
  const unreadable: number[] = [];
  const { log, logger } = keptLog();
  const server = createHttpServer(logger, { unreadable: (status) => unreadable.push(status) });
  server.get('/seen', async ({ url, host, headers }) => ({ url, host, given: headers.host }));
  server.get('/', async () => ({ url: '/' }));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { port, log, unreadable, [Symbol.asyncDispose]: () => server.close() };
}

const seen = 'GET /seen HTTP/1.1\r\n';

it.each([
  ['two hosts', `${seen}host: a\r\nhost: b\r\n\r\n`, 400, 'malformed-request'],
  ['the same host twice', `${seen}Host: a\r\nhOST: a\r\n\r\n`, 400, 'malformed-request'],
  ['no host', `${seen}\r\n`, 400, 'malformed-request'],
  ['no host, but one in its target', 'GET http://a/seen HTTP/1.1\r\n\r\n', 400, 'malformed-request'],
  ['a host with a path', `${seen}host: a/b\r\n\r\n`, 400, 'malformed-request'],
  ['a list of hosts', `${seen}host: a, b\r\n\r\n`, 400, 'malformed-request'],
  ['a host with a space', `${seen}host: a b\r\n\r\n`, 400, 'malformed-request'],
  ['somebody at the host', `${seen}host: u@a\r\n\r\n`, 400, 'malformed-request'],
  ['somebody at its target', 'GET http://u@a/seen HTTP/1.1\r\nhost: a\r\n\r\n', 400, 'malformed-request'],
  ['another HTTP', 'GET /seen HTTP/2.0\r\nhost: a\r\n\r\n', 400, 'malformed-request'],
  ['an expectation', `${seen}host: a\r\nexpect: cake\r\n\r\n`, 417, 'expectation-failed'],
  ['two expectations', `${seen}host: a\r\nexpect: 100-continue, cake\r\n\r\n`, 417, 'expectation-failed'],
  ['a method of others', 'PROPFIND /seen HTTP/1.1\r\nhost: a\r\n\r\n', 501, 'unknown-method'],
  ['a method of nobody', 'FOO /seen HTTP/1.1\r\nhost: a\r\n\r\n', 501, 'unknown-method'],
  ['a method in small letters', 'get /seen HTTP/1.1\r\nhost: a\r\n\r\n', 501, 'unknown-method'],
  ['a tunnel', 'CONNECT a:80 HTTP/1.1\r\nhost: a\r\n\r\n', 501, 'unknown-method'],
  ['another method of ours', 'TRACE /seen HTTP/1.1\r\nhost: a\r\n\r\n', 405, 'method-not-allowed'],
  ['one more', 'QUERY /seen HTTP/1.1\r\nhost: a\r\n\r\n', 405, 'method-not-allowed'],
  ['no HTTP', 'hello\r\n\r\n', 400, 'malformed-request'],
  ['TLS', '\x16\x03\x01\x02\x00\x01', 400, 'malformed-request'],
])('a request with %s is a problem like any other', async (_what, sent, status, code) => {
  await using at = await stage();
  const { headers, body } = await rawExchange(at.port, sent);
  expect(headers['content-type']).toBe(problemContentType);
  const details = problemSchema.parse(JSON.parse(body));
  expect(details).toMatchObject({ status, code });
  expect(details.requestId).toBe(headers['x-request-id']);
});

it.each([
  [
    'headers that are too long',
    `${seen}host: a\r\nauthorization: hunter2\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
  ],
  ['a method of nobody', 'FOO /seen?key=hunter2 HTTP/1.1\r\nhost: a\r\n\r\n', 501],
  ['a tunnel', 'CONNECT hunter2:80 HTTP/1.1\r\nhost: a\r\n\r\n', 501],
  ['no HTTP', 'hunter2\r\n\r\n', 400],
])('of %s the log has one line, with the id of the answer and no more', async (_what, sent, status) => {
  await using at = await stage();
  const { headers } = await rawExchange(at.port, sent);
  const lines = at.log.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId !== undefined);
  expect(lines).toEqual([
    expect.objectContaining({
      requestId: headers['x-request-id'],
      status,
      client: '127.0.0.1',
      msg: 'a request was refused before it was read',
    }),
  ]);
  expect(at.log.join('')).not.toContain('hunter2');
  expect(at.unreadable).toEqual([status]);
});

it('an address with a letter that must be encoded is told how, and that', async () => {
  await using at = await stage();
  const { body } = await rawExchange(at.port, 'GET /seen?name=f\xc3\xbcnf HTTP/1.1\r\nhost: a\r\n\r\n');
  expect(JSON.parse(body)).toMatchObject({
    code: 'malformed-request',
    detail: expect.stringContaining('--data-urlencode'),
  });
});

it.each([
  ['HTTP/1.0 without a host', 'GET /seen HTTP/1.0\r\n\r\n'],
  ['an empty host', `${seen}host:\r\n\r\n`],
  ['an IPv6 address', `${seen}host: [::1]:8080\r\n\r\n`],
  ['an underscore, as Docker names hosts', `${seen}host: control_api:8080\r\n\r\n`],
  ['the one expectation that there is', `${seen}host: a\r\nexpect: 100-Continue\r\n\r\n`],
])('%s is fine', async (_what, sent) => {
  await using at = await stage();
  expect((await rawExchange(at.port, sent)).status).toBe(200);
});

describe('a target with the whole address, as proxies are sent it,', () => {
  it.each([
    ['http://farm.example:8080/seen', '/seen'],
    ['HTTP://farm.example:8080/seen?a=http://b/c', '/seen?a=http://b/c'],
    ['https://farm.example:8080/seen', '/seen'],
  ])('%s is its path, at the host that it names', async (target, url) => {
    await using at = await stage();
    const { body } = await rawExchange(at.port, `GET ${target} HTTP/1.1\r\nhost: other.example\r\n\r\n`);
    const host = 'farm.example:8080';
    expect(JSON.parse(body)).toEqual({ url, host, given: host });
  });

  it.each(['http://farm.example', 'http://farm.example?x=1', 'http://farm.example/'])(
    '%s is the root',
    async (target) => {
      await using at = await stage();
      const { body } = await rawExchange(at.port, `GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`);
      expect(JSON.parse(body)).toEqual({ url: '/' });
    },
  );

  it.each(['ftp://a/seen', 'http:///seen/', 'http://a//seen'])('%s is nothing here', async (target) => {
    await using at = await stage();
    const { status } = await rawExchange(at.port, `GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`);
    expect(status).toBe(404);
  });
});

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

it('a path that cannot be decoded is one where nothing is', async () => {
  const { head, body } = await exchange('GET /%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  expect(head).toContain('HTTP/1.1 404 ');
  expect(head).toContain(`x-request-id: ${problemSchema.parse(body).requestId}`);
});

it.each(['/seen?name=%zz', '/s%65en'])('%s reaches its route as it was sent', async (target) => {
  await using at = await stage();
  const { body } = await rawExchange(at.port, `GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`);
  expect(JSON.parse(body)).toMatchObject({ url: target });
});
