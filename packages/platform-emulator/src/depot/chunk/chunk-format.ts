import { vzChunk } from './vz.ts';
import { zipOne } from './zip.ts';
import { zstdChunk } from './zstd.ts';

export const chunkFormats = ['zip', 'vz', 'zstd'] as const;

export type ChunkFormat = (typeof chunkFormats)[number];

const compressors: Record<ChunkFormat, (content: Buffer) => Buffer> = {
  zip: zipOne,
  vz: vzChunk,
  zstd: zstdChunk,
};

export function compressChunk(content: Buffer, format: ChunkFormat): Buffer {
  return compressors[format](content);
}

/** Real depots mix formats from chunk to chunk; here the chunk's own hash decides, so the choice never changes. */
export function mixedFormat(chunkHash: Buffer): ChunkFormat {
  return chunkFormats[(chunkHash[0] ?? 0) % chunkFormats.length] ?? 'zip';
}
