import type { Depot } from '@steward/platform-emulator/depot/depot';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { startPlatform } from '@steward/platform-emulator/platform';

export interface Served {
  readonly proxyUrl: string;
  readonly caFile: string;
  readonly token: string;
  readonly bytes: number;
  readonly manifestId: string;
  /** For the plain loop, which asks nobody. */
  readonly key: string;
  readonly hosts: readonly string[];
  readonly chunks: readonly string[];
}

const account = 'bench';

/**
 * The platform with its content servers, which publishes the depot of each message that this process gets: it shares the
 * machine with whoever is measured, and no memory.
 */
export async function serveDepots<Asked>(depotOf: (asked: Asked) => Depot): Promise<void> {
  const platform = await startPlatform({
    accounts: [{ name: account, password: 'bench', owns: [gameAppId] }],
    contentHosts: Array.from({ length: 4 }, (_, index) => ({ name: `host ${index}` })),
  });
  process.on('message', (asked: Asked) => {
    const depot = depotOf(asked);
    platform.publish({ appId: gameAppId, name: 'Bench', depots: [{ depot }] });
    // Or it would grow by an entry for every chunk of every round.
    platform.record.clear();
    const served: Served = {
      proxyUrl: platform.proxyUrl,
      caFile: platform.caFile,
      token: platform.refreshToken(account),
      bytes: depot.sizeOnDisk,
      manifestId: depot.manifestId,
      key: depot.key.toString('hex'),
      hosts: platform.cdn.hosts.map(({ address }) => address),
      chunks: depot.chunkIds,
    };
    process.send?.(served);
  });
  process.once('disconnect', () => void platform.close().then(() => process.exit()));
}
