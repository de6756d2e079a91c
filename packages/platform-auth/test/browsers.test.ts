import { describe, expect, it } from 'vitest';
import { Emulated } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const secret = 'what-no-page-knows';

async function sidecarOf(world: Emulated, options: { secret?: string; compat?: 'existing' } = {}) {
  const { platform, directory } = world;
  const token = platform.refreshToken('ann');
  const sidecar = await LocalSidecar.start({ platform, directory, token, ...options });
  await sidecar.until('logged-in');
  return sidecar;
}

type Headers = Readonly<Record<string, string>>;

/** What browsers send for a page of another site, for one whose name was rebound, and for a person's own look. */
const ofBrowsers: readonly (readonly [what: string, headers: Headers])[] = [
  [
    'another site',
    { host: '127.0.0.1:3001', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  ],
  ['another site over plain http', { host: '192.168.1.5:3001', origin: 'http://evil.example' }],
  ['a page that hides its origin', { host: 'localhost:3001', origin: 'null' }],
  ['an image on another site', { host: 'localhost:3001', 'sec-fetch-site': 'cross-site' }],
  ['a rebound name', { host: 'evil.example:3001', 'sec-fetch-site': 'same-origin' }],
  ['a rebound name over plain http', { host: 'evil.example:3001' }],
  ['a rebound name that ends in a dot', { host: 'evil.example.:3001' }],
  ['a name like a private one', { host: 'platform-auth.local.evil.example' }],
  ['an address bar', { host: 'localhost:3001', 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
];

const routes = [
  ['GET', '/platform/app-ticket'],
  ['PUT', '/platform/lobby'],
  ['POST', '/download'],
  ['POST', '/download/publish'],
  ['OPTIONS', '/download/publish'],
  ['GET', '/metrics'],
  ['GET', '/health'],
  ['GET', '/no-such-path'],
] as const;

const ofTheMod = [
  ['GET', '/steam/app-ticket'],
  ['POST', '/steam/lobby/create'],
] as const;

describe('a web page', () => {
  it.each(ofBrowsers)('gets and changes nothing from %s, where no secret is set', async (_what, headers) => {
    await using world = await Emulated.start();
    await using sidecar = await sidecarOf(world);
    const { app } = sidecar.sidecar;
    for (const [method, url] of routes) {
      const answer = await app.inject({ method, url, headers });
      expect([url, answer.statusCode]).toEqual([url, 403]);
      expect(answer.json()).toMatchObject({ code: 'cross-site-request' });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it.each(ofBrowsers)('gets and changes nothing from %s on the paths of the mod', async (_what, headers) => {
    await using world = await Emulated.start();
    await using sidecar = await sidecarOf(world, { secret, compat: 'existing' });
    const { app } = sidecar.sidecar;
    for (const [method, url] of [...ofTheMod, ...routes]) {
      const answer = await app.inject({ method, url, headers });
      expect([url, answer.statusCode]).toEqual([url, 403]);
    }
    expect(
      (await app.inject({ url: '/platform/lobby', headers: { authorization: `Bearer ${secret}` } })).json(),
    ).toMatchObject({ state: 'none' });
  });
});

describe('a program', () => {
  it('is answered under every address, and every name that only a private network knows', async () => {
    await using world = await Emulated.start();
    await using sidecar = await sidecarOf(world);
    for (const host of [
      'platform-auth:3001',
      'localhost',
      '127.0.0.1:3001',
      '[::1]:3001',
      '[::ffff:10.0.0.1]:3001',
      'farm-1_platform-auth-1:3001',
      'platform-auth.farms.svc:3001',
      'platform-auth.farms.svc.cluster.local.:3001',
      'host.docker.internal:3001',
      'Farm.LAN',
    ])
      expect([host, (await sidecar.get('/platform/app-ticket', { host })).statusCode]).toEqual([host, 200]);
  });

  it('is answered under any name once it sends the secret, and not without', async () => {
    await using world = await Emulated.start();
    await using sidecar = await sidecarOf(world, { secret });
    const host = 'sidecar.farm.example:3001';
    const url = '/platform/app-ticket';
    expect((await sidecar.get(url, { host, authorization: `Bearer ${secret}` })).statusCode).toBe(200);
    const refused = await sidecar.get(url, { host, authorization: 'Bearer wrong' });
    expect([refused.statusCode, refused.json().detail]).toEqual([
      403,
      expect.stringContaining('PLATFORM_AUTH_SECRET'),
    ]);
  });

  it('is answered where its library names a mode, as that of Node does', async () => {
    await using world = await Emulated.start();
    await using sidecar = await sidecarOf(world);
    const port = await sidecar.listen();
    expect((await fetch(`http://localhost:${port}/platform/app-ticket`)).status).toBe(200);
  });
});
