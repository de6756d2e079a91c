// The platform with its content servers, in a process of its own: it shares the machine with whoever is measured, and no memory.
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { startPlatform } from '@steward/platform-emulator/platform';
import { type DepotName, makeBenchDepot } from './depots.ts';

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
const platform = await startPlatform({
  accounts: [{ name: account, password: 'bench', owns: [gameAppId] }],
  contentHosts: Array.from({ length: 4 }, (_, index) => ({ name: `host ${index}` })),
});
const depots = new Map<DepotName, ReturnType<typeof makeBenchDepot>>();

process.on('message', (name: DepotName) => {
  const depot = depots.get(name) ?? makeBenchDepot(name);
  depots.set(name, depot);
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
