import { type ChunkStore, chunksInMemory } from '@steward/platform-emulator/depot/chunk-store';
import type { Depot, DepotFile } from '@steward/platform-emulator/depot/depot';
import { incompressible, programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';

export const depotId = 413_153;
const mebibyte = 1024 * 1024;
const fileBytes = 8 * mebibyte;
/** With its own decoder the library needs 10 s for one file, and all of them take it alike. */
const filesOfSlice = 3;
/** Of each content; enough that memory has found its level long before the end. */
const mixedFiles = 24;

const formats = {
  'lzma-program': { format: 'vz', content: programLike, files: 8 },
  // The slowest to decode: half is as long as the others take.
  'lzma-noise': { format: 'vz', content: incompressible, files: 4 },
  zip: { format: 'zip', content: programLike, files: 12 },
  zstd: { format: 'zstd', content: programLike, files: 12 },
} as const;

export type FormatName = keyof typeof formats;

/** What is downloaded: a format on the wire and a kind of content, or the beginning of one, or all of them mixed. */
export type DepotName = FormatName | `slice of ${FormatName}` | 'mixed';

const stores = new Map<FormatName, ChunkStore>();

/** Chunks are made before anything is measured, once, and served from memory. */
export function makeBenchDepot(name: DepotName): Depot {
  if (name === 'mixed') return mixed();
  return isFormat(name) ? depot(name, formats[name].files) : depot(formatOf(name), filesOfSlice);
}

/** Program-like and incompressible files in turn, their chunks in all three formats: nothing in memory is as large as what comes next. */
function mixed(): Depot {
  const files = Array.from({ length: 2 * mixedFiles }, (_, index): DepotFile => {
    const content = index % 2 === 0 ? programLike : incompressible;
    return { kind: 'file', name: `file-${index}.bin`, content: content(`mixed ${index}`, fileBytes) };
  });
  const chunkStore = chunksInMemory();
  return makeDepot({ depotId, name: 'bench', osList: 'linux', format: 'mixed', chunkStore }, files);
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}

function formatOf(slice: string): FormatName {
  const name = slice.replace('slice of ', '');
  if (!isFormat(name)) throw new Error(`no depot ${slice}`);
  return name;
}

function depot(name: FormatName, count: number): Depot {
  const { format, content } = formats[name];
  const files = Array.from({ length: count }, (_, index): DepotFile => {
    return { kind: 'file', name: `file-${index}.bin`, content: content(`bench ${index}`, fileBytes) };
  });
  const chunkStore = stores.get(name) ?? chunksInMemory();
  stores.set(name, chunkStore);
  return makeDepot({ depotId, name: 'bench', osList: 'linux', format, chunkStore }, files);
}
