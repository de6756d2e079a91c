import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { commands } from '@steward/shared/bridge/commands';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openPage, script } from './stage/open-page.ts';

it('serves the page at each of its paths, its files as they were compressed, and nothing else', async () => {
  await using page = await openPage({ farms: ['https://two.example:8090'], instance: 'A "farm" & <more>' });
  for (const path of ['/', '/players', '/backups/20261122']) {
    const answer = await page.ask(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const body = await answer.text();
    expect(body).toContain('The page');
    expect(body).toContain('A \\&quot;farm\\&quot; &amp; &lt;more>');
  }
  const plain = await page.ask('/assets/main-abc123.js', { headers: { 'accept-encoding': 'identity' } });
  expect(await plain.text()).toBe(script);
  expect(plain.headers.get('cache-control')).toContain('immutable');
  const compressed = await page.ask('/assets/main-abc123.js', {
    headers: { 'accept-encoding': 'gzip, br;q=1' },
  });
  expect(compressed.headers.get('content-encoding')).toBe('br');
  expect(Number(compressed.headers.get('content-length'))).toBe(brotliCompressSync(script).length);
  expect(brotliDecompressSync(brotliCompressSync(script)).toString()).toBe(await compressed.text());
  const others = ['/assets/none.js', '/../package.json', '/assets/..%2f..%2fpackage.json', '/main.ts'];
  for (const path of others) expect([path, await page.asIs(path)]).toEqual([path, 404]);
  expect((await page.ask('/', { method: 'POST' })).status).toBe(404);
});

it.each([
  ['the API’s', 'askApi', '/save'],
  ['the page’s', 'ask', '/api/save'],
] as const)(
  'by %s listener what a game takes longer for than a client may be silent is answered',
  async (_of, ask, path) => {
    await using page = await openPage();
    const { app, bridge, clock, farm } = page.api;
    farm.state.players = [];
    farm.mood = 'claims-and-is-silent';
    const requested = once(app.server, 'request');
    const asking = page[ask](path, { method: 'POST', headers: { authorization: 'Bearer k3y' } });
    const [{ socket }] = (await requested) as [IncomingMessage];
    // As the server does by itself, after longer.
    expect(socket.timeout).toBe(app.server.timeout);
    socket.setTimeout(150);
    await once(socket, 'timeout');
    await expect.poll(() => bridge.operations.list(1)?.[0]?.state).toBe('claimed');
    clock.advance(commands.save.outcomeMs);
    const answer = await asking;
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({
      code: 'outcome-unknown',
      operationId: bridge.operations.list(1)?.[0]?.id,
    });
  },
);

it('finishes what is asked by the page’s listener, and refuses what comes then, when it is told to stop', async () => {
  await using page = await openPage();
  const { app, bridge, clock, farm } = page.api;
  farm.state.players = [];
  farm.mood = 'claims-and-is-silent';
  const headers = { authorization: 'Bearer k3y' };
  const asking = page.ask('/api/save', { method: 'POST', headers });
  asking.catch(() => {});
  await expect.poll(() => bridge.operations.list(1)?.[0]?.state).toBe('claimed');
  const ended = once(app.server, 'close');
  const closing = page.close();
  await ended;
  const late = await page.ask('/api/save', { method: 'POST', headers });
  expect([late.status, late.headers.get('connection')]).toEqual([503, 'close']);
  clock.advance(commands.save.outcomeMs);
  expect((await asking).status).toBe(504);
  await closing;
});

it('lets the page ask this server and the farms that are named, and run and show nothing of anybody else', async () => {
  await using page = await openPage({ farms: ['https://two.example:8090', 'http://10.0.0.7:8090'] });
  const policy = (await page.ask('/')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain(
    "connect-src 'self' https://two.example:8090 wss://two.example:8090 http://10.0.0.7:8090 ws://10.0.0.7:8090;",
  );
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
});

it('answers below /api/ as the API does: its key, its errors, its streams, its WebSocket', async () => {
  await using page = await openPage();
  const authorization = 'Bearer k3y';
  expect((await page.ask('/api/health')).status).toBe(200);
  expect((await page.ask('/api/status')).status).toBe(401);
  const status = await page.ask('/api/status', { headers: { authorization } });
  expect(await status.json()).toMatchObject({ farmName: expect.any(String) });
  const written = await page.ask('/api/time?value=1200', {
    method: 'POST',
    headers: { authorization, origin: page.origin },
  });
  expect(await written.json()).toMatchObject({ success: true });
  expect((await page.ask('/api/nothing', { headers: { authorization } })).status).toBe(404);
  const socket = new WebSocket(`${page.origin.replace('http', 'ws')}/api/ws`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'auth', payload: { token: 'k3y' } }));
  const [answer] = await once(socket, 'message');
  expect(JSON.parse(String(answer))).toMatchObject({ type: 'auth_success' });
  socket.terminate();
  await once(socket, 'close');
});

it('gets nobody past a rule by another way to write a path', async () => {
  await using page = await openPage();
  const guarded = [
    '/api//status',
    '/api/../status',
    '/api/./status',
    '/api%2fstatus',
    '/%61pi/status',
    '/api/%73tatus',
    '/api/..%2fstatus',
    `${page.origin}/api/status`,
    `http://other.example/api/status`,
    '/API/status',
    '/public/',
    '/public/status.json',
    '/public/card.css',
    '/public/../api/status',
    '//api/status',
    '/api/status/',
  ];
  for (const path of guarded)
    expect([path, await page.asIs(path)]).toEqual([path, expect.toSatisfy(isRefused)]);
});

/** The page itself is for everybody; whatever tells of the farm is not. */
function isRefused(answer: number | 'the page'): boolean {
  return answer === 'the page' || [400, 401, 404].includes(answer);
}

it('shows one card to everybody where that is asked for: as a page, as JSON and as a badge, and the code only if that is, too', async () => {
  await using page = await openPage({ isPublic: true, instance: '<b>“Ann & Bob”</b>' });
  const card = await page.ask('/public/status.json');
  expect(card.headers.get('cache-control')).toBe('public, max-age=30');
  const shown = (await card.json()) as object;
  expect(Object.keys(shown)).toEqual(['name', 'farmName', 'day', 'season', 'year', 'players', 'isJoinable']);
  const badge = await (await page.ask('/public/badge.svg')).text();
  expect(badge).toContain('&lt;b&gt;“Ann &amp; Bob”&lt;/b&gt;');
  expect(badge).not.toContain('<b>');
  const asPage = await (await page.ask('/public/')).text();
  expect(asPage).not.toContain('<b>');
  expect(asPage).toContain('href="card.css"');
  // A proxy lets players through to what begins so, and to nothing else.
  expect((await page.ask('/public/card.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect((await page.ask('/public/other')).status).toBe(404);
  expect((await page.ask('/api/status')).status).toBe(401);
  await using open = await openPage({ isPublic: true, showsCode: true });
  const codes = async ({ ask }: Pick<typeof open, 'ask'>) => (await ask('/public/status.json')).json();
  expect(await codes(open)).toMatchObject({ inviteCode: 'SABC', networkCode: 'GABC' });
  expect(await (await open.ask('/public/')).text()).toContain(
    '<dt>Code for players on Steam</dt><dd>SABC</dd><dt>Code for everybody</dt><dd>GABC</dd>',
  );
  await using alone = await openPage({ isPublic: true, showsCode: true, codes: { network: 'GABC' } });
  expect(await codes(alone)).toMatchObject({ inviteCode: 'GABC', networkCode: 'GABC' });
  expect(await (await alone.ask('/public/')).text()).not.toContain('on Steam');
});

it.each([
  ['Latin', 'Meadow', 40],
  ['Japanese', '、ひだまりの農場ー', 99],
  ['Chinese', '阳光农场！', 55],
  ['Korean', '햇살농장', 44],
  ['pictures', '🌻🐔', 22],
])('leaves room on the badge for a name in %s', async (_in, instance, px) => {
  await using page = await openPage({ isPublic: true, instance });
  const badge = await (await page.ask('/public/badge.svg')).text();
  const [, width] = /<rect x="(\d+)"/.exec(badge) ?? [];
  // And some at both sides.
  expect(Number(width)).toBe(px + 14);
});
