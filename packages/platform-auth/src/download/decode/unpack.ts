import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { DecodeError } from './decode-error.ts';
import type { DecodeLzma } from './lzma.ts';

// `VSZa`, a CRC; the frame; a CRC, the size, four zeros, `zsv`. The sha1 says more than any of the CRCs.
const zstdHeadBytes = 8;
const zstdTailBytes = 15;

export function unpackZstd(chunk: Buffer, bytes: number): Uint8Array {
  if (chunk.length < zstdHeadBytes + zstdTailBytes || chunk.toString('latin1', chunk.length - 3) !== 'zsv')
    throw new DecodeError('is a zstd chunk without its end');
  return zstdDecompressSync(chunk.subarray(zstdHeadBytes, -zstdTailBytes), inflationOf(bytes));
}

// `VZa`, a CRC or a time; the five bytes of LZMA's properties; the stream; a CRC, the size, `zv`.
const propertiesAt = 7;
const propertiesBytes = 5;
const vzTailBytes = 10;

export function unpackVz(chunk: Buffer, bytes: number, decodeLzma: DecodeLzma): Uint8Array {
  const streamAt = propertiesAt + propertiesBytes;
  if (chunk.length < streamAt + vzTailBytes || chunk.toString('latin1', chunk.length - 2) !== 'zv')
    throw new DecodeError('is an LZMA chunk without its end');
  return decodeLzma(chunk.subarray(propertiesAt, streamAt), chunk.subarray(streamAt, -vzTailBytes), bytes);
}

const zipHeaderBytes = 30;
const methodAt = 8;
const nameLengthAt = 26;
const extraLengthAt = 28;
const methods: Readonly<Record<number, ZipEntry['method']>> = { 0: 'stored', 8: 'deflated' };

export interface ZipEntry {
  readonly method: 'stored' | 'deflated';
  /** From its first byte to the archive's end: where it ends is for whoever reads it to know. */
  readonly content: Buffer;
}

/** The first entry of a zip archive; the platform's have no other. */
export function firstEntry(archive: Buffer): ZipEntry {
  if (archive.length < zipHeaderBytes) throw new DecodeError('is too short for a zip archive');
  const number = archive.readUInt16LE(methodAt);
  const method = methods[number];
  if (method === undefined) throw new DecodeError(`is a zip archive of method ${number}`);
  const names = archive.readUInt16LE(nameLengthAt) + archive.readUInt16LE(extraLengthAt);
  return { method, content: archive.subarray(zipHeaderBytes + names) };
}

export function unzip(archive: Buffer, bytes: number): Uint8Array {
  const { method, content } = firstEntry(archive);
  return method === 'stored' ? content.subarray(0, bytes) : inflateRawSync(content, inflationOf(bytes));
}

/** Below this zlib takes no piece size. */
const smallestPieceBytes = 64;

/** Settings for node:zlib when the size is known: one piece that everything fits in, and an end to whatever would swell. */
function inflationOf(bytes: number): { readonly chunkSize: number; readonly maxOutputLength: number } {
  return { chunkSize: Math.max(bytes, smallestPieceBytes), maxOutputLength: Math.max(bytes, 1) };
}
