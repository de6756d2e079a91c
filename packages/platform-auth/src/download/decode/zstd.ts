import { zstdDecompressSync } from 'node:zlib';
import { DecodeError } from './decode-error.ts';
import { inflationOf } from './inflation.ts';

// `VSZa`, a CRC; the frame; a CRC, the size, four zeros, `zsv`. The sha1 says more than any of the CRCs.
const headBytes = 8;
const tailBytes = 15;

export function unpackZstd(chunk: Buffer, bytes: number): Uint8Array {
  if (chunk.length < headBytes + tailBytes || chunk.toString('latin1', chunk.length - 3) !== 'zsv')
    throw new DecodeError('is a zstd chunk without its end');
  return zstdDecompressSync(chunk.subarray(headBytes, -tailBytes), inflationOf(bytes));
}
