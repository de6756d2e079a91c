import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { libraryProxy } from '../src/platform/library-proxy.ts';
import { Emulated } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';
import { SidecarProcess } from './world/sidecar-process.ts';
import { startSocksProxy } from './world/socks-proxy.ts';
import { proxyAt } from './world/through.ts';
import { startTlsFront } from './world/tls-front.ts';

const unreachable = { caFile: '', proxyUrl: 'http://127.0.0.1:9' };

async function logsInThrough(world: Emulated, variables: NodeJS.ProcessEnv): Promise<void> {
  await using sidecar = await SidecarProcess.start(unreachable, {
    SESSION_DIR: world.directory,
    PLATFORM_USERNAME: 'ann',
    PLATFORM_PASSWORD: 'pass-of-ann',
    NODE_EXTRA_CA_CERTS: world.platform.caFile,
    ...variables,
  });
  await sidecar.healthWhere(({ logged_in }) => logged_in);
  expect((await sidecar.get('/platform/app-ticket')).status).toBe(200);
}

it('goes through a SOCKS proxy, which resolves the names, for the password login and the session', async () => {
  await using world = await Emulated.start();
  await using socks = await startSocksProxy(world.platform.proxyUrl);
  await logsInThrough(world, { PLATFORM_PROXY: socks.url });
  expect(new Set(socks.asked.map((target) => target.replace(/^[^.:]+/, '*')))).toEqual(
    new Set(
      world.platform.record.matching({ kind: 'proxy' }).map(({ host }) => host.replace(/^[^.:]+/, '*')),
    ),
  );
  expect(socks.asked.length).toBe(world.platform.record.count({ kind: 'proxy' }));
});

it('goes through a proxy that speaks TLS', async () => {
  await using world = await Emulated.start();
  await using front = await startTlsFront(world.platform.proxyUrl);
  const bundle = join(world.directory, 'authorities.pem');
  writeFileSync(bundle, world.platform.caPem + front.caPem);
  await logsInThrough(world, { PLATFORM_PROXY: front.url, NODE_EXTRA_CA_CERTS: bundle });
  expect(front.connections).toBeGreaterThan(0);
});

it.each(['HTTPS_PROXY', 'ALL_PROXY', 'https_proxy', 'all_proxy'])(
  'takes %s where PLATFORM_PROXY is not set',
  async (name) => {
    await using world = await Emulated.start();
    await logsInThrough(world, { PLATFORM_PROXY: '', [name]: world.platform.proxyUrl });
    expect(world.platform.record.count({ kind: 'proxy' })).toBeGreaterThan(0);
  },
);

it('takes another way for each host, for the password login and the session', async () => {
  await using world = await Emulated.start();
  await using socks = await startSocksProxy(world.platform.proxyUrl);
  const [http, other] = [proxyAt(world.platform.proxyUrl), proxyAt(socks.url)];
  await using sidecar = await LocalSidecar.start({
    platform: world.platform,
    directory: world.directory,
    username: 'ann',
    password: 'pass-of-ann',
    proxy: libraryProxy(({ hostname }) => (hostname === 'api.steampowered.com' ? http : other)),
  });
  await sidecar.until('logged-in');
  const tunnels = world.platform.record.matching({ kind: 'proxy' }).map(({ host }) => host);
  expect(tunnels).toContain('api.steampowered.com:443');
  expect(socks.asked.length).toBeGreaterThan(0);
  expect(socks.asked).toEqual(tunnels.filter((host) => host !== 'api.steampowered.com:443'));
});
