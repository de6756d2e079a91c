import { demoApps } from '@steward/platform-emulator/demo-apps';
import { Secret } from '@steward/service-kit/secret';
import { expect, it } from 'vitest';
import { ContentRun, wantedOf } from './world/content-run.ts';
import { gameApp } from './world/emulated.ts';
import { startSocksProxy } from './world/socks-proxy.ts';

// The content servers are on loopback, which goes without a proxy as a rule; here the rule is another one.

const apps = demoApps('proxied', 1_000_000);

it('asks an HTTP proxy for every chunk, over connections that are used again', async () => {
  let proxyUrl = '';
  const proxyFor = () => ({ kind: 'http', url: new Secret(proxyUrl) }) as const;
  await using run = await ContentRun.start({ apps, proxyFor });
  proxyUrl = run.world.platform.proxyUrl;
  const manifests = await run.manifests(gameApp);
  expect((await run.fetchAll(manifests)).size).toBe(wantedOf(manifests).length);
  const { record } = run.world.platform;
  expect(record.count({ kind: 'proxy', path: 'GET' })).toBe(
    record.count({ kind: 'chunk' }) + record.count({ kind: 'manifest' }),
  );
});

it('tunnels through a SOCKS proxy', async () => {
  let proxyUrl = '';
  const proxyFor = () => ({ kind: 'socks', url: new Secret(proxyUrl) }) as const;
  await using run = await ContentRun.start({ apps, proxyFor });
  await using socks = await startSocksProxy(run.world.platform.proxyUrl);
  proxyUrl = socks.url.replace('socks5:', 'socks5h:');
  const manifests = await run.manifests(gameApp);
  expect((await run.fetchAll(manifests)).size).toBe(wantedOf(manifests).length);
  const hosts = run.world.platform.cdn.hosts.map(({ address }) => address);
  expect(new Set(socks.asked)).toEqual(new Set(hosts));
  // A connection for each request under way, not for each chunk.
  expect(socks.asked.length).toBeLessThan(40);
});
