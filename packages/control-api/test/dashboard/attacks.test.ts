import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setInterval as every } from 'node:timers/promises';
import { rawExchange } from '@steward/testing/raw-exchange';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPage } from './stage/open-page.ts';

const head = (line: string, ...headers: readonly string[]) =>
  `${[`${line} HTTP/1.1`, 'host: 127.0.0.1', ...headers].join('\r\n')}\r\n\r\n`;

/** Short, so that a test need not wait long; and nobody honest takes as long, also on a machine that stands still for a second. */
const patience = { check: 20, headers: 3_000, request: 3_000, silence: 5_000 };

describe('by the page’s listener', () => {
  it('wrong keys count with those by the API’s own, whatever address they claim', async () => {
    await using page = await openPage();
    const wrong = { authorization: 'Bearer wrong', 'x-forwarded-for': '203.0.113.9' };
    const statuses: number[] = [];
    for (let tried = 0; tried < 12; tried += 1) {
      const by =
        tried % 2 === 0
          ? page.ask('/api/status', { headers: wrong })
          : page.askApi('/status', { headers: wrong });
      statuses.push((await by).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const right = { authorization: 'Bearer k3y' };
    expect((await page.ask('/api/status', { headers: right })).status).toBe(200);
  });

  it('a key opens no more than by the API’s own, and nothing once it has ended', async () => {
    await using page = await openPage({ leftKeys: [{ name: 'reader', scopes: ['read'] }] });
    const reader = { headers: { authorization: `Bearer ${page.api.secretOf('reader')}` } };
    const owner = { headers: { authorization: 'Bearer k3y' } };
    const statusOf = async (path: string, init: RequestInit) => (await page.ask(path, init)).status;
    expect(await statusOf('/api/players', reader)).toBe(200);
    expect(await statusOf('/api/audit', reader)).toBe(403);
    expect(await statusOf('/api/time?value=700', { ...reader, method: 'POST' })).toBe(403);
    const stream = await page.ask('/api/events/stream', reader);
    expect(await statusOf('/api/keys?name=reader', { ...owner, method: 'DELETE' })).toBe(200);
    // It ends with the key, or this would wait for ever.
    await stream.text();
    expect(await statusOf('/api/players', reader)).toBe(401);
  });

  it('a stranger’s page reaches a server without a key no better than by the API’s own', async () => {
    await using page = await openPage({ key: undefined });
    const host = `127.0.0.1:${page.port}`;
    const asked = async (line: string, ...headers: readonly string[]) =>
      (
        await rawExchange(
          page.port,
          `${[`${line} HTTP/1.1`, ...headers, 'connection: close'].join('\r\n')}\r\n\r\n`,
        )
      ).status;
    expect(await asked('POST /api/time?value=700', `host: ${host}`, `origin: http://${host}`)).toBe(200);
    for (const line of ['POST /api/time?value=700', 'GET /api/players', 'GET /api/events']) {
      expect([line, await asked(line, `host: ${host}`, 'origin: https://evil.example')]).toEqual([line, 403]);
      expect([line, await asked(line, `host: ${host}`, 'sec-fetch-site: cross-site')]).toEqual([line, 403]);
      // The name of the stranger's page, rebound to this machine.
      const rebound = ['host: evil.example', 'origin: http://evil.example', 'sec-fetch-site: same-origin'];
      expect([line, await asked(line, ...rebound)]).toEqual([line, 403]);
    }
    const upgrade = [
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    for (const from of [['host: evil.example'], [`host: ${host}`]])
      expect(
        (
          await rawExchange(
            page.port,
            `GET /api/ws HTTP/1.1\r\n${[...from, 'origin: http://evil.example', ...upgrade].join('\r\n')}\r\n\r\n`,
          )
        ).status,
      ).toBe(403);
  });

  it('who drips headers or a body, or says nothing, is cut off as soon as by the API’s own', async () => {
    await using page = await openPage({ patience });
    const began = performance.now();
    await Promise.all(
      [
        'GET / HTTP/1.1\r\nhost: a\r\n',
        'POST /api/time HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\n\r\n',
        '',
      ].map(async (beginning) => {
        const socket = connect(page.port, '127.0.0.1').on('error', () => {});
        const closed = once(socket.resume(), 'close');
        socket.write(beginning);
        for await (const _ of every(patience.check)) {
          if (socket.destroyed || socket.writableEnded) break;
          if (beginning !== '') socket.write('x');
        }
        await closed;
      }),
    );
    // Node by itself would look every thirty seconds.
    expect(performance.now() - began).toBeLessThan(20_000);
    expect((await page.ask('/')).status).toBe(200);
  });

  it('a crowd of half requests keeps nobody else out, by either listener, and is gone in the end', async () => {
    await using page = await openPage({ patience });
    const crowd = Array.from({ length: count({ small: 300, long: 1_500 }) }, () => {
      const socket = connect(page.port, '127.0.0.1').on('error', () => {});
      socket.write('GET / HTTP/1.1\r\nhost: a\r\n');
      return { connected: once(socket, 'connect'), closed: once(socket.resume(), 'close') };
    });
    await Promise.all(crowd.map(({ connected }) => connected));
    expect((await page.ask('/')).status).toBe(200);
    expect((await page.askApi('/health')).status).toBe(200);
    await Promise.all(crowd.map(({ closed }) => closed));
    expect((await page.ask('/')).status).toBe(200);
  });

  it('what sends a body that nobody reads is answered, and its connection closed', async () => {
    await using page = await openPage();
    for (const line of ['GET /', 'POST /players', 'GET /assets/none.js', 'PUT /public/']) {
      for (const header of ['content-length: 1000000000', 'transfer-encoding: chunked']) {
        const { headers, everything } = await rawExchange(
          page.port,
          `${head(line, header)}GET /api/health HTTP/1.1\r\nhost: a\r\n\r\n`,
          { untilClosed: true },
        );
        expect([line, header, headers['connection']]).toEqual([line, header, 'close']);
        // The bytes of a body are no second request.
        expect(everything).not.toContain('"status":"ok"');
      }
    }
  });

  it('a page whose files are gone is an error of that request, and the service goes on', async () => {
    await using page = await openPage();
    rmSync(page.directory, { recursive: true });
    expect((await page.ask('/')).status).toBe(503);
    expect((await page.ask('/api/health')).status).toBe(200);
  });
});

const target = fc.oneof(
  fc.constantFrom(
    '/',
    '/api',
    '/api/',
    '/api/status',
    '/api//',
    '/public/',
    '/public/badge.svg',
    '/assets/main-abc123.js',
    '*',
    '//',
    '/api/ws',
    '/api/events',
    '/__proto__',
    '/api/__proto__',
    '/..',
    '/api/docs/..',
    'http://',
    'https://a/api/status',
    '/%',
    '/api/%00',
  ),
  fc.string({ maxLength: 30 }).map((path) => `/${path.replace(/[^\x21-\x7e]/g, '')}`),
  fc.string({ maxLength: 30 }).map((path) => `/api/${path.replace(/[^\x21-\x7e]/g, '')}`),
);

const headers = fc.array(
  fc.oneof(
    fc.constantFrom(
      'upgrade: websocket\r\nconnection: upgrade',
      'expect: 100-continue',
      'expect: 200-ok',
      'host: b',
      'range: bytes=0-1',
      'accept-encoding: br;q=x, __proto__',
      'if-none-match: "x"',
      'content-length: 0',
      'transfer-encoding: chunked, chunked',
      'authorization: Bearer k3y',
    ),
    fc.string({ maxLength: 20 }).map((value) => `x-a: ${value.replace(/[^\x20-\x7e]/g, '')}`),
  ),
  { maxLength: 3 },
);

it('no request makes the page’s listener stumble, or grows what is measured', {
  timeout: 3_600_000,
}, async () => {
  await using page = await openPage({ isPublic: true, instance: 'farm' });
  const authorization = 'Bearer k3y';
  const series = async () => {
    const metrics = await (await page.ask('/api/metrics', { headers: { authorization } })).text();
    return metrics.match(/^[^#\s]+(?= )/gm) ?? [];
  };
  await page.ask('/api/nothing');
  const before = new Set(await series());
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT', 'get', 'G'),
      target,
      headers,
      async (method, path, more) => {
        const socket = connect(page.port, '127.0.0.1').on('error', () => {});
        socket.end(head(`${method} ${path}`, ...more, 'connection: close'));
        const [, status = '0'] = /^HTTP\/1\.1 ([2-5]\d\d)/m.exec(await text(socket)) ?? [];
        // A method that nobody knows is 501, by the API's own listener, too.
        expect(Number(status)).toSatisfy((known: number) => (known >= 200 && known < 500) || known === 501);
      },
    ),
    { numRuns: count({ small: 200, long: 20_000 }) },
  );
  expect((await page.ask('/api/health')).status).toBe(200);
  const grown = (await series()).filter((one) => !before.has(one));
  // Of the thousands of paths and methods that were asked for, those alone that there are; and what V8 collects, of a few kinds.
  const there =
    /[{,]method="GET",route="\/(api-spec\/v1\/api-spec\.json|events|health|metrics|status)"|^nodejs_gc_duration_seconds/;
  expect(grown).not.toEqual([]);
  expect(grown.filter((one) => !there.test(one))).toEqual([]);
});
