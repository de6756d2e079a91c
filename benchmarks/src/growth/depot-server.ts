// The platform with a depot of as many MB as it is asked for, or of as many small files, in a process of its own.
import { chunksInMemory } from '@steward/platform-emulator/depot/chunk-store';
import type { DepotFile } from '@steward/platform-emulator/depot/depot';
import { programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { depotId } from '../download/depots.ts';
import { serveDepots } from '../download/serve-depots.ts';

const mebibyte = 1024 * 1024;
const fileMb = 4;

/** As in a game: a folder for each few dozen. */
const filesOfFolder = 64;
const smallBytes = 1_000;

await serveDepots((asked: { mb: number } | { files: number }) =>
  makeDepot(
    { depotId, name: 'growth', osList: 'linux', format: 'zstd', chunkStore: chunksInMemory() },
    'mb' in asked ? largeFiles(asked.mb) : smallFiles(asked.files),
  ),
);

function largeFiles(mb: number): readonly DepotFile[] {
  return Array.from({ length: mb / fileMb }, (_, index) => ({
    kind: 'file' as const,
    name: `file-${index}.bin`,
    // The content of a few files over and over would be fetched only once.
    content: programLike(`growth ${mb} ${index}`, fileMb * mebibyte),
  }));
}

function smallFiles(files: number): readonly DepotFile[] {
  return Array.from({ length: files }, (_, index) => ({
    kind: 'file' as const,
    name: `Content/${Math.floor(index / filesOfFolder)}/file-${index}.xnb`,
    content: programLike(`growth of files ${index}`, smallBytes),
  }));
}
