import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { openPage } from '@steward/testing/browser';
import { expect, it } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';

/** A site of its own, with the client as a browser takes it. */
async function startSite() {
  const site = createServer(({ url = '/' }, answer) => {
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
