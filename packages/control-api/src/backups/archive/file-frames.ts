import { createHash } from 'node:crypto';
import { constants as zlib } from 'node:zlib';

// The file: a zstd frame with manifest.json, one with everything else, and a last one that every reader of zstd skips. It says how long
// the first is, and has the SHA-256 of all before it: whatever byte of the file is another one, is missing or was put in is found.

export const compression = {
  params: { [zlib.ZSTD_c_compressionLevel]: 3, [zlib.ZSTD_c_checksumFlag]: 1 },
  chunkSize: 32 * 1_024,
} as const;

/** More memory than this no archive may ask for. Two blocks of zstd come at once: each handing over from thread to thread takes time. */
export const decompression = {
  params: { [zlib.ZSTD_d_windowLogMax]: 23 },
  chunkSize: 256 * 1_024,
} as const;

/** What of an archive is read at once. */
export const chunkBytes = 256 * 1_024;

const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18]);
const hashBytes = 32;
const beforeHash = 16;

export const trailerBytes = beforeHash + hashBytes;

/** All of the trailer that stands before the hash, which covers it. */
export function trailerStart(manifestFrameBytes: number): Buffer {
  const start = Buffer.alloc(beforeHash);
  skippable.copy(start);
  start.writeUInt32LE(trailerBytes - 8, 4);
  start.writeBigUInt64LE(BigInt(manifestFrameBytes), 8);
  return start;
}

/** How long the first frame is; undefined for what is no trailer. */
export function readTrailer(trailer: Buffer): { frame: number; hash: Buffer } | undefined {
  if (trailer.length !== trailerBytes) return undefined;
  const frame = Number(trailer.readBigUInt64LE(8));
  if (!Number.isSafeInteger(frame)) return undefined;
  const isOurs = trailerStart(frame).equals(trailer.subarray(0, beforeHash));
  return isOurs ? { frame, hash: trailer.subarray(beforeHash) } : undefined;
}

export function sha256() {
  return createHash('sha256');
}
