// The platform with a depot of as many MB as it is asked for, in a process of its own.
import { chunksInMemory } from '@steward/platform-emulator/depot/chunk-store';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { startPlatform } from '@steward/platform-emulator/platform';
import { depotId } from '../download/depots.ts';
import type { Served } from '../download/platform-server.ts';

const mebibyte = 1024 * 1024;
const fileMb = 4;
const account = 'bench';

const platform = await startPlatform({
  accounts: [{ name: account, password: 'bench', owns: [gameAppId] }],
  contentHosts: Array.from({ length: 4 }, (_, index) => ({ name: `host ${index}` })),
});

process.on('message', ({ mb }: { mb: number }) => {
  const files = Array.from({ length: mb / fileMb }, (_, index) => ({
    kind: 'file' as const,
    name: `file-${index}.bin`,
    // The content of a few files over and over would be fetched only once.
    content: programLike(`growth ${mb} ${index}`, fileMb * mebibyte),
  }));
  const depot = makeDepot(
    { depotId, name: 'growth', osList: 'linux', format: 'zstd', chunkStore: chunksInMemory() },
    files,
  );
  platform.publish({ appId: gameAppId, name: 'Growth', depots: [{ depot }] });
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
