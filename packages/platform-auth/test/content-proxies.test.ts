import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { demoApps } from '@steward/platform-emulator/demo-apps';
import { Secret } from '@steward/service-kit/secret';
import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { contentAgent } from '../src/download/cdn/content-agents.ts';
import { requestContent } from '../src/download/cdn/content-request.ts';
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

describe.each(['http', 'socks'] as const)('a proxy of the kind %s that says nothing', (kind) => {
  it.each<[string, (clock: ManualClock, stop: AbortController) => void, string]>([
    ['when nothing has come for long', (clock) => clock.advance(10_000), 'stood still'],
    ['when the run is over', (_, stop) => stop.abort(new Error('that is enough')), 'that is enough'],
  ])('is waited for no longer %s', async (_, end, words) => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const silent = createServer().listen(0, '127.0.0.1');
    const reached = once(silent, 'connection');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const proxy = `${kind}://127.0.0.1:${port}`;
    const url = new URL('https://127.0.0.1/depot/1/chunk/2');
    const agent = contentAgent(url, () => ({ kind, url: new Secret(proxy) }));
    const request = { url, hostName: url.host, agent, bytes: { atMost: 10 }, clock, signal: stop.signal };
    const coming = requestContent(request).then(String, ({ message }) => message);
    const [line] = await reached;
    end(clock, stop);
    // Not only after the agent has given up, which takes its own time.
    expect(await Promise.race([coming, setImmediate('nothing yet')])).toBe(words);
    agent.destroy();
    line.destroy();
    silent.close();
  });
});
