import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openPage } from '@steward/testing/browser';
import { expect, it } from 'vitest';
import { numberOf, RestartingApi } from './stage/restarting-api.ts';

type Told = Parameters<typeof numberOf>[0];

type Page = Awaited<ReturnType<typeof openPage>>;

/** What the page has heard, in its own global; it grows as the page hears. */
declare const heard: Told[];

async function hears(page: Page, numbers: readonly number[]): Promise<void> {
  await page.waitForFunction((count) => heard.length >= count, numbers.length);
  expect((await page.evaluate(() => heard)).map(numberOf)).toEqual(numbers);
}

/** The place behind all that has happened. */
async function placeOf({ origin, key }: RestartingApi): Promise<string> {
  const answer = await fetch(`${origin}/events?limit=1`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { cursor: string }).cursor;
}

/** In order, and back again: what happens meanwhile is told when the page has come back. */
async function restart(api: RestartingApi): Promise<void> {
  await api.end('SIGTERM');
  await api.start();
}

it('an EventSource of Chromium goes on over a restart of a server without a key, and misses nothing', async () => {
  await using api = await RestartingApi.open();
  await using page = await openPage();
  // Any page of that server is as good; this one is there at once.
  await page.goto(`${api.origin}/health`);
  await page.evaluate(async () => {
    const source = new EventSource('/events/stream?topics=chat,farm');
    Object.assign(globalThis, { heard: [], source });
    source.onmessage = ({ data }) => heard.push(JSON.parse(data));
    await new Promise((open) => {
      source.onopen = open;
    });
  });
  api.happens('chat');
  api.happens('farm');
  await hears(page, [1, 2]);
  await restart(api);
  api.happens('chat');
  await hears(page, [1, 2, 3]);
  await restart(api);
  api.happens('farm');
  api.happens('chat');
  await hears(page, [1, 2, 3, 4, 5]);
});

it('the reader of docs/events.md hears with a key, in a page of an allowed origin, and goes on over a restart', async () => {
  const text = readFileSync(new URL('../../../../docs/events.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  const panel = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<script>${code}</script>`);
  });
  await new Promise<void>((listens) => panel.listen(0, '127.0.0.1', listens));
  const origin = `http://127.0.0.1:${(panel.address() as AddressInfo).port}`;
  await using api = await RestartingApi.open({ API_KEY: 'k3y', API_ALLOWED_ORIGINS: origin });
  await using page = await openPage();
  await page.goto(origin);
  const begin = `${api.origin}/events/stream?topics=chat,players&after=${await placeOf(api)}`;
  const following = page.evaluate(`heard = []; follow('${begin}', 'k3y', (event) => heard.push(event))`);
  following.catch(() => {});
  api.happens('chat');
  api.happens('players');
  await hears(page, [1, 2]);
  await restart(api);
  api.happens('chat');
  await hears(page, [1, 2, 3]);
  const refused = page.evaluate(`follow('${begin}', 'wrong', () => {})`);
  await expect(refused).rejects.toThrow(/wrong/);
  panel.closeAllConnections();
  await new Promise((closed) => panel.close(closed));
});
