import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rawExchange } from '@steward/testing/raw-exchange';
import { describe, expect, it } from 'vitest';
import { RawSocket } from '../chat/stage/raw-socket.ts';
import { openApi } from './stage/open-api.ts';
import { SocketClient } from './stage/over-socket.ts';
import { sharedApi } from './stage/shared-api.ts';

const open = sharedApi();
const locked = sharedApi({ key: 'k3y' });

/** From one address come few wrong keys a minute, so each test has one of its own. */
let addresses = 0;
function nextAddress(): string {
  addresses += 1;
  return `192.0.2.${addresses}`;
}

const publicPaths = [
  '/health',
  '/docs/json',
  '/docs',
  '/docs/',
  '/docs/static/swagger-ui.css',
  '/api-spec/v1/api-spec.json',
];
const otherPaths = [
  '/status',
  '/ws',
  '/no-such-path',
  '/health/',
  '/Health',
  '/docsx',
  '/api-spec/v1',
  '/%64ocs',
  '/%zz',
  '/%ff',
];

it.each([
  '/docs/nothing',
  '/docs/yaml',
  '/docs/%6Ason',
  '/docs/static/nothing',
  '/docs/static/%2e%2e/package.json',
])('there is nothing at %s', async (path) => {
  const api = await open();
  const answer = await api.ask('GET', path);
  expect(answer.statusCode).toBe(404);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'not-found' });
});

it('shows whoever asks for what there is not where to look', async () => {
  const api = await open();
  const { detail } = JSON.parse((await api.ask('GET', '/')).body);
  expect(detail).toBe('There is nothing at /: /docs lists all endpoints');
});

describe('with a key set', () => {
  it.each(publicPaths)('%s is open to everybody', async (path) => {
    const api = await locked();
    const got = await api.ask('GET', path, { key: null });
    const head = await api.ask('HEAD', path, { key: null });
    expect([got.statusCode, head.statusCode]).toEqual([200, 200]);
    expect(head.body).toBe('');
    // The health tells the time, whose length may change.
    if (path !== '/health') expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  it.each(otherPaths)('%s asks for it, whether or not it exists', async (path) => {
    const api = await locked();
    const remoteAddress = nextAddress();
    for (const authorization of [undefined, 'Bearer wrong', 'Bearer', 'Basic k3y', 'k3y']) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await api.ask('GET', path, { key: null, headers, remoteAddress });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.exact).toMatchObject({ status: 401, code: 'unauthorized', success: false });
    }
  });

  it.each([101, 10_000])('asks for it where an id of %i characters is in the path, too', async (length) => {
    const api = await locked();
    const remoteAddress = nextAddress();
    for (const path of [`/operations/${'1'.repeat(length)}`, `/backups/${'x'.repeat(length)}/file`]) {
      const answer = await api.ask('GET', path, { key: 'wrong', remoteAddress });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.exact).toMatchObject({ status: 401, code: 'unauthorized' });
      expect((await api.ask('GET', path)).statusCode).toBe(400);
    }
  });

  it('answers behind it where a path cannot be decoded', async () => {
    const api = await locked();
    expect((await api.ask('GET', '/%zz')).exact).toMatchObject({ status: 404, code: 'not-found' });
    const path = '/operations/%zz';
    expect((await api.ask('GET', path, { key: null })).statusCode).toBe(401);
    expect((await api.ask('GET', path)).exact).toMatchObject({ status: 400, code: 'invalid-parameter' });
  });

  it.each(publicPaths)('%s is open where it is named by its whole address, too', async (path) => {
    const port = await locked.port();
    for (const address of ['http://farm.example', 'HTTPS://127.0.0.1:8080']) {
      const asked = `GET ${address}${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
      expect((await rawExchange(port, asked)).status).toBe(200);
    }
  });

  it.each([
    ...otherPaths.map((path) => `http://health${path}`),
    'http://farm.example/docs/../status',
    'http://farm.example/docs/%2e%2e/status',
    'http://farm.example/docs/..%2fstatus',
    'http://farm.example/docs/http://farm.example/status',
    'http://farm.example/health/../status',
    'http://farm.example//health/../status',
    'http://farm.example?/health',
    'http://farm.example#/health',
    'http:///docs/../status',
    'http://farm.example/status?/docs/',
    'ftp://farm.example/health',
    '*',
  ])('%s shows nothing without it', async (target) => {
    const port = await locked.port();
    const { status, body } = await rawExchange(port, `GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`);
    expect([400, 401, 404]).toContain(status);
    expect(body).not.toContain('farmName');
  });

  it('lets the right key through to what is there', async () => {
    const api = await locked();
    expect((await api.ask('GET', '/no-such-path')).statusCode).toBe(404);
    expect((await api.ask('GET', '/status', { headers: { authorization: 'bearer  k3y ' } })).statusCode).toBe(
      200,
    );
  });

  it('asks for it however a request that calls itself an upgrade came', async () => {
    await using api = await openApi({ key: 'k3y' });
    // As by a listener of the framework's own, which takes every upgrade and hands it on.
    const other = createServer().on('upgrade', api.app.server.emit.bind(api.app.server, 'upgrade'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const asked = request({
      port,
      method: 'POST',
      path: '/time?value=700',
      headers: { connection: 'upgrade', upgrade: 'x' },
    }).end();
    const [answer] = await once(asked, 'response');
    expect(answer.statusCode).toBe(401);
    other.close();
  });

  it('never repeats a key that it was given', async () => {
    const api = await locked();
    const ask = { key: 's3cret', remoteAddress: nextAddress() };
    expect((await api.ask('GET', '/status', ask)).body).not.toContain('s3cret');
  });
});

describe('too many bad keys from one address', () => {
  it('are 429 for a minute, while the right key from there is let through', async () => {
    await using api = await openApi({ key: 'k3y' });
    for (let i = 0; i < 10; i += 1)
      expect((await api.ask('GET', '/status', { key: `k${i}` })).statusCode).toBe(401);
    api.clock.advance(20_000);
    const answer = await api.ask('GET', '/status', { key: 'again' });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '40']);
    expect((await api.ask('GET', '/status')).statusCode).toBe(200);
    expect((await api.ask('GET', '/status', { key: null })).statusCode).toBe(401);
    expect((await api.ask('GET', '/status', { key: 'x', remoteAddress: '192.0.2.7' })).statusCode).toBe(401);
    api.clock.advance(40_000);
    expect((await api.ask('GET', '/status', { key: 'again' })).statusCode).toBe(401);
  });

  it('are counted by the address that a trusted proxy tells, and by no other', async () => {
    await using api = await openApi({ key: 'k3y', trustedProxies: ['127.0.0.0/8'] });
    const from = (forwarded: string, remoteAddress = '127.0.0.1') =>
      api.ask('GET', '/status', { key: 'bad', remoteAddress, headers: { 'x-forwarded-for': forwarded } });
    for (let i = 0; i < 10; i += 1) await from(`10.0.0.${i}, 192.0.2.7`);
    expect((await from('192.0.2.7')).statusCode).toBe(429);
    expect((await from('192.0.2.8')).statusCode).toBe(401);
    for (let i = 0; i < 10; i += 1) await from(`10.0.0.${i}`, '198.51.100.1');
    expect((await from('10.0.0.99', '198.51.100.1')).statusCode).toBe(429);
  });
});

describe('without a key', () => {
  it('nobody is asked for one', async () => {
    await using api = await openApi();
    expect((await api.ask('GET', '/no-such-path', { key: null })).statusCode).toBe(404);
    expect((await api.ask('POST', '/time?value=700', { key: null })).statusCode).toBe(200);
  });

  it('a page of another site can neither command nor read, and is told what would let it', async () => {
    const api = await open();
    const headers = { host: 'localhost:8080', origin: 'https://evil.example' };
    for (const [method, url] of [
      ['POST', '/time?value=700'],
      ['DELETE', '/farmhands?name=Bob'],
      ['GET', '/status'],
    ] as const) {
      const answer = await api.ask(method, url, { headers });
      expect(answer.exact).toMatchObject({ status: 403, code: 'cross-site-request' });
      expect(answer.exact['detail']).toContain('API_ALLOWED_ORIGINS');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(api.farm.heard).toEqual([]);
  });

  it('a name that was rebound to this machine is no way around it', async () => {
    await using api = await openApi();
    const headers = { host: 'evil.example:8080', origin: 'http://evil.example:8080' };
    expect((await api.ask('POST', '/time?value=700', { headers })).statusCode).toBe(403);
    await using known = await openApi({ allowedHosts: ['evil.example'] });
    expect((await known.ask('POST', '/time?value=700', { headers })).statusCode).toBe(200);
  });

  it('the docs page of this server works', async () => {
    await using api = await openApi();
    const headers = {
      host: '192.0.2.7:8080',
      origin: 'http://192.0.2.7:8080',
      'sec-fetch-site': 'same-origin',
    };
    expect((await api.ask('POST', '/time?value=700', { headers })).statusCode).toBe(200);
  });
});

describe.each([undefined, 'k3y'])('a page of an allowed origin, key %s', (key) => {
  const allowedOrigins = ['https://panel.example'];
  const headers = { host: 'localhost', origin: 'https://panel.example' };
  const ofPanel = sharedApi({ key, allowedOrigins });

  it('may read answers, errors too', async () => {
    const api = await ofPanel();
    for (const url of ['/status', '/nothing', '/time?value=1']) {
      const answer = await api.ask(url.startsWith('/time') ? 'POST' : 'GET', url, { headers });
      expect(answer.headers['access-control-allow-origin']).toBe('https://panel.example');
      expect(answer.headers.vary).toBe('origin');
    }
  });

  it('may read every header that the document names, but for those that browsers read themselves', async () => {
    const api = await ofPanel();
    const { paths } = JSON.parse((await api.ask('GET', '/api-spec/v1/api-spec.json')).body);
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods as object));
    const answers = operations.flatMap(({ responses }) => Object.values(responses as object));
    const named = answers.flatMap(({ headers: beside = {} }) => Object.keys(beside));
    const { headers: sent } = await api.ask('GET', '/status', { headers });
    const readable = String(sent['access-control-expose-headers']).split(', ');
    const own = new Set(['www-authenticate', 'upgrade']);
    expect(readable.sort()).toEqual(
      [...new Set(named.map((name) => name.toLowerCase()))].filter((name) => !own.has(name)).sort(),
    );
  });

  it('has its question before a write answered, without a key', async () => {
    const api = await ofPanel();
    const question = { ...headers, 'access-control-request-method': 'DELETE' };
    const answer = await api.ask('OPTIONS', '/farmhands', { key: null, headers: question });
    expect(answer.statusCode).toBe(204);
    const allowed = String(answer.headers['access-control-allow-headers']).split(', ');
    // The second is what many clients name with each request, also without a body.
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'idempotency-key']));
  });

  it('may read that the server stops, and has its question before a write answered meanwhile', async () => {
    await using api = await openApi({ key, allowedOrigins });
    const { port } = await api.listen();
    const request = (line: string, ...more: readonly string[]) =>
      [`${line} HTTP/1.1`, 'host: localhost', 'origin: https://panel.example', ...more, '\r\n'].join('\r\n');
    const question = request('OPTIONS /time', 'access-control-request-method: POST');
    const late = [question, request('POST /time?value=700')].map((text) => {
      const socket = new RawSocket(port);
      socket.write(text.slice(0, 9));
      return { socket, rest: text.slice(9) };
    });
    // Holds the stop open.
    const half = new RawSocket(port);
    const body = ['content-type: application/json', 'content-length: 9', 'expect: 100-continue'];
    half.write(request('POST /time?value=700', `authorization: Bearer ${key}`, ...body));
    await half.has(/HTTP\/1\.1 100 /);
    const stopped = api.app.close();
    for (const { socket, rest } of late) socket.write(rest);
    const answers = await Promise.all(late.map(({ socket }) => socket.has(/\r\n\r\n/)));
    half.socket.destroy();
    await stopped;
    const allowed = 'access-control-allow-origin: https://panel\\.example\r\n';
    expect(answers).toEqual([
      expect.stringMatching(new RegExp(`^HTTP/1\\.1 204 .*${allowed}`, 's')),
      expect.stringMatching(new RegExp(`^HTTP/1\\.1 503 .*${allowed}`, 's')),
    ]);
  });
});

it('OPTIONS is 405 for everybody else, and 401 without the key', async () => {
  await using api = await openApi({ key: 'k3y', allowedOrigins: ['https://panel.example'] });
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  expect((await api.ask('OPTIONS', '/time', { headers, key: null })).statusCode).toBe(401);
  const answer = await api.ask('OPTIONS', '/time', { headers });
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

it('a body is refused on every route, whatever it says', async () => {
  await using api = await openApi();
  for (const [method, url] of [
    ['POST', '/time?value=700'],
    ['DELETE', '/farmhands?name=Bob'],
    ['GET', '/status'],
    ['POST', '/settings'],
  ] as const) {
    for (const headers of [
      { 'content-type': 'application/json' },
      { 'content-type': 'text/plain' },
      {},
    ] as Record<string, string>[]) {
      const answer = await api.ask(method, url, { headers, body: '{"value":800}' });
      expect(answer.exact).toMatchObject({ status: 400, code: 'unexpected-body' });
    }
  }
  expect((await api.ask('POST', '/time?value=700', { headers: { 'content-length': '0' } })).statusCode).toBe(
    200,
  );
});

it.each(['/status', '/health', '/players'])('%s is not for a request of two hosts', async (path) => {
  const port = await open.port();
  const asked = `GET ${path} HTTP/1.1\r\nhost: a\r\n`;
  expect((await rawExchange(port, `${asked}\r\n`)).status).toBe(200);
  expect((await rawExchange(port, `${asked}host: b\r\n\r\n`)).status).toBe(400);
});

it('has no stack trace and no text of a mistake in an answer', async () => {
  await using api = await openApi();
  Object.defineProperty(api.bridge, 'run', {
    value: () => {
      throw new Error('hunter2 at secret.ts:1');
    },
  });
  const answer = await api.ask('POST', '/time?value=700');
  expect(answer.exact).toMatchObject({ status: 500, code: 'internal-error' });
  expect(answer.body).not.toMatch(/hunter2|\.ts|node_modules/);
});

it.each(['/docs/../status', '/docs/.%2e/players', '/docs/%2e%2e/ws', '/docs/../operations/1'])(
  'makes no way of the docs page around the key: %s',
  async (path) => {
    const api = await locked();
    using client = new SocketClient(await locked.port());
    const answer = await api.ask('GET', path, { client, key: null });
    expect([answer.statusCode, answer.exact['code']]).toEqual([404, 'not-found']);
  },
);
