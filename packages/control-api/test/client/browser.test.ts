import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { steward } from '@steward/client';
import { openPage } from '@steward/testing/browser';
import { expect, it } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { numberOf, RestartingApi } from '../events/stage/restarting-api.ts';

/** A site of its own, with the client as a browser takes it, and where a port is given the API below `/api`. */
async function startSite(port?: number) {
  const site = createServer((asked, answer) => {
    const { url = '/' } = asked;
    if (port !== undefined && url.startsWith('/api/')) {
      passOn(asked, answer, port);
      return;
    }
    const name = /^\/client\/(.+)$/.exec(url)?.[1];
    const [type, body] =
      name === undefined ? ['text/html', '<!doctype html>'] : ['text/javascript', javaScriptOf(name)];
    answer.setHeader('content-type', type).end(body);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  return {
    origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      site.closeAllConnections();
      site.close();
      await once(site, 'close');
    },
  };
}

/** As proxies do that know no upgrades. */
function passOn(asked: IncomingMessage, answer: ServerResponse, port: number): void {
  const { method, url = '' } = asked;
  const { upgrade: _upgrade, connection: _connection, ...headers } = asked.headers;
  const sent = request({ host: '127.0.0.1', port, method, path: url.slice('/api'.length), headers });
  sent.on('error', () => answer.destroy());
  sent.on('response', (told) => {
    told.on('error', () => answer.destroy());
    answer.writeHead(told.statusCode ?? 502, told.headers).flushHeaders();
    told.pipe(answer);
  });
  answer.on('close', () => sent.destroy());
  sent.end();
}

function javaScriptOf(name: string): string {
  return stripTypeScriptTypes(readFileSync(new URL(`../../../client/src/${name}`, import.meta.url), 'utf8'));
}

/** What becomes of some calls from a page of that site. */
async function calledFrom(origin: string, api: string): Promise<unknown> {
  await using page = await openPage();
  await page.goto(origin);
  // As text: what is a function here is made for Node.
  return await page.evaluate(`import('/client/index.ts').then(async ({ steward }) => {
    const farm = steward({ url: '${api}', key: '${testKey}', retries: 0 });
    const outcome = (call) => call.then(
      ({ timeOfDay, players }) => timeOfDay ?? players.map(({ id }) => String(id)),
      ({ code, retryAfterMs = null, requestId }) => ({ code, retryAfterMs, isNamed: requestId !== undefined }),
    );
    const read = await outcome(farm.listPlayers());
    const changed = await outcome(farm.setTime({ value: 1200 }));
    return [read, changed, await outcome(farm.setTime({ value: 1300 }))];
  })`);
}

it('a page of an allowed origin reads, changes, and is told in how long it may again', async () => {
  await using site = await startSite();
  await using api = await openApi({ key: testKey, allowedOrigins: [site.origin], writesPerMinute: 1 });
  using client = await api.listen();
  expect(await calledFrom(site.origin, `http://127.0.0.1:${client.port}`)).toEqual([
    ['620826087702429092'],
    1200,
    { code: 'too-many-requests', retryAfterMs: 60_000, isNamed: true },
  ]);
});

it('a page of another origin gets no answer', async () => {
  await using site = await startSite();
  await using api = await openApi({ key: testKey });
  using client = await api.listen();
  const nothing = { code: 'network', retryAfterMs: null, isNamed: false };
  expect(await calledFrom(site.origin, `http://127.0.0.1:${client.port}`)).toEqual([
    nothing,
    nothing,
    nothing,
  ]);
  expect(api.farm.heard).toEqual([]);
});

type Told = Parameters<typeof numberOf>[0];

/** What the page has heard, in its own global; it grows as the page hears. */
declare const heard: Told[];

interface Followed {
  /** Of the page. */
  readonly origin: string;
  readonly url: string;
  readonly api: RestartingApi;
  /** By which way it has to come. */
  readonly door: 'ws' | 'stream';
}

/** Follows in a page of the site what happens, and over a restart. */
async function followedFrom({ origin, url, api, door }: Followed): Promise<void> {
  await using page = await openPage();
  await page.goto(origin);
  const hears = async (numbers: readonly number[]) => {
    await page.waitForFunction((count) => heard.length >= count, numbers.length);
    expect((await page.evaluate(() => heard)).map(numberOf)).toEqual(numbers);
  };
  await page.evaluate(`heard = []; import('/client/index.ts').then(async ({ steward }) => {
    const farm = steward({ url: '${url}', key: '${api.key}' });
    const { cursor: after } = await farm.getEvents({ limit: 1 });
    (async () => {
      for await (const { type, data } of farm.events({ topics: ['chat', 'farm'], after }))
        heard.push({ type, data: { message: data.message, year: data.year } });
    })();
  })`);
  api.happens('chat');
  api.happens('farm');
  await hears([1, 2]);
  const metrics = await steward({ url: api.origin, key: api.key }).getMetrics();
  expect(metrics).toContain(`steward_events_listeners{door="${door}"} 1\n`);
  await api.end('SIGTERM');
  await api.start();
  api.happens('chat');
  await hears([1, 2, 3]);
}

it('a page of an allowed origin follows what happens, over a restart', async () => {
  await using site = await startSite();
  await using api = await RestartingApi.open({ API_KEY: testKey, API_ALLOWED_ORIGINS: site.origin });
  await followedFrom({ origin: site.origin, url: api.origin, api, door: 'ws' });
});

it('a page that has the API on its own origin, behind a proxy that knows no upgrades, follows what happens, over a restart', async () => {
  await using api = await RestartingApi.open({ API_KEY: testKey });
  await using site = await startSite(api.port);
  await followedFrom({ origin: site.origin, url: `${site.origin}/api`, api, door: 'stream' });
});
