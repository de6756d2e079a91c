import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { buildGame } from '@steward/platform-emulator/depot/game/build-game';
import { systemClock } from '@steward/service-kit/clock';
import { Secret } from '@steward/service-kit/secret';
import { expect, it } from 'vitest';
import { ContentServers } from '../src/download/cdn/content-servers.ts';
import type { ContentDirectory } from '../src/platform/platform-session.ts';
import type { ProxyAddress } from '../src/platform/proxy.ts';
import { Emulated, gameApp } from './world/emulated.ts';
import { startSocksProxy } from './world/socks-proxy.ts';
import { startTlsFront } from './world/tls-front.ts';

const { linux } = buildGame({ seed: 'tls', bytes: 1_000_000 });
const apps = [{ appId: gameApp, name: 'Farm', depots: [{ depot: linux }] }];

it.each(['none', 'http', 'socks'] as const)(
  'fetches from a server that speaks TLS, proxy: %s',
  async (kind) => {
    await using world = await Emulated.start({ apps, contentHosts: [{ name: 'plain' }] });
    await using front = await startTlsFront(
      `http://${world.platform.cdn.host('plain').address}`,
      '127.0.0.1',
    );
    await using socks = await startSocksProxy(world.platform.proxyUrl);
    setDefaultCACertificates([...getCACertificates('default'), front.caPem]);
    // The certificate is for the name, which is not where the server is.
    const address = front.url.slice('https://'.length);
    const proxies: Readonly<Record<typeof kind, ProxyAddress | undefined>> = {
      none: undefined,
      http: { kind: 'http', url: new Secret(world.platform.proxyUrl) },
      socks: { kind: 'socks', url: new Secret(socks.url) },
    };
    const servers = new ContentServers({
      directory: directoryOf(address),
      proxyFor: () => proxies[kind],
      clock: systemClock,
    });
    for (const chunk of linux.chunkIds.slice(0, 5)) {
      const content = await servers.fetch(
        {
          appId: gameApp,
          depotId: linux.depotId,
          what: 'a chunk',
          bytes: { atMost: 2_000_000 },
          path: () => `/depot/${linux.depotId}/chunk/${chunk}`,
          accept: async (bytes) => bytes,
        },
        AbortSignal.timeout(10_000),
      );
      expect(linux.chunk(chunk)?.equals(content)).toBe(true);
    }
    servers.close();
    // One after the other, so all over the same connection.
    expect(front.connections).toBe(1);
    expect(world.platform.record.count({ kind: 'proxy' })).toBe(kind === 'none' ? 0 : 1);
  },
);

function directoryOf(address: string): ContentDirectory {
  const notAsked = () => Promise.reject(new Error('nobody asks for this here'));
  return {
    servers: async () => [{ address, name: 'localhost', isSecure: true, demandsToken: false, load: 1 }],
    ownsApp: notAsked,
    productInfo: notAsked,
    depotKey: notAsked,
    requestCode: notAsked,
    serverToken: notAsked,
  };
}
