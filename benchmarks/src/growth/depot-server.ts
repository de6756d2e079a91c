// The platform with a depot of as many MB as it is asked for, in a process of its own.
import { chunksInMemory } from '@steward/platform-emulator/depot/chunk-store';
import { programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { depotId } from '../download/depots.ts';
import { serveDepots } from '../download/serve-depots.ts';

const mebibyte = 1024 * 1024;
const fileMb = 4;

await serveDepots(({ mb }: { mb: number }) => {
  const files = Array.from({ length: mb / fileMb }, (_, index) => ({
    kind: 'file' as const,
    name: `file-${index}.bin`,
    // The content of a few files over and over would be fetched only once.
    content: programLike(`growth ${mb} ${index}`, fileMb * mebibyte),
  }));
  return makeDepot(
    { depotId, name: 'growth', osList: 'linux', format: 'zstd', chunkStore: chunksInMemory() },
    files,
  );
});
