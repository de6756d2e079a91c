import { chunksInMemory } from '@steward/platform-emulator/depot/chunk-store';
import type { Depot, DepotFile } from '@steward/platform-emulator/depot/depot';
import { buildGame } from '@steward/platform-emulator/depot/game/build-game';
import { incompressible, programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';

export const depotId = 413_153;
const mebibyte = 1024 * 1024;
const fileBytes = 8 * mebibyte;
/** What the library, with its own decoder, needs half a minute for. */
const sliceBytes = 24 * mebibyte;
const bytes = 96 * mebibyte;
/** The builder's game at the size of the real one. */
const gameBytes = 1_500_000_000;

/** What is downloaded, by name: a format on the wire and a kind of content. */
const plans = {
  'lzma-program': () => depot('vz', programLike, bytes),
  // The slowest to decode: half is as long as the others take.
  'lzma-noise': () => depot('vz', incompressible, bytes / 2),
  zip: () => depot('zip', programLike, bytes),
  zstd: () => depot('zstd', programLike, bytes),
  'slice-program': () => depot('vz', programLike, sliceBytes),
  'slice-noise': () => depot('vz', incompressible, sliceBytes),
  // Two formats of three are cheap to make; the third is a third of the work.
  game: () => buildGame({ seed: 'bench', bytes: gameBytes, chunkStore: chunksInMemory }).linux,
};

export type DepotName = keyof typeof plans;

/** Chunks are made before anything is measured, and served from memory. */
export function makeBenchDepot(name: DepotName): Depot {
  return plans[name]();
}

function depot(format: 'vz' | 'zip' | 'zstd', content: typeof programLike, size: number): Depot {
  const files = Array.from({ length: size / fileBytes }, (_, index): DepotFile => {
    return { kind: 'file', name: `file-${index}.bin`, content: content(`bench ${index}`, fileBytes) };
  });
  return makeDepot({ depotId, name: 'bench', osList: 'linux', format, chunkStore: chunksInMemory() }, files);
}
