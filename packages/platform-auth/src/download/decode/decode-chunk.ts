import { hash } from 'node:crypto';
import { DecodeError } from './decode-error.ts';
import { decrypt } from './decrypt.ts';
import { free } from './free.ts';
import type { DecodeLzma } from './lzma.ts';
import { unpackVz, unpackZstd, unzip } from './unpack.ts';

export interface StoredChunk {
  /** As it came: encrypted and compressed. */
  readonly stored: Uint8Array;
  readonly key: Uint8Array;
  /** The sha1 of what it holds, lower-case hex. */
  readonly id: string;
  readonly bytes: number;
}

/** The bytes of a chunk, of the length and the sha1 that the manifest says; anything else is a DecodeError. */
export function decodeChunk({ stored, key, id, bytes }: StoredChunk, decodeLzma: DecodeLzma): Uint8Array {
  const packed = decrypt(stored, key);
  const plain = unpack(packed, bytes, decodeLzma);
  // What was stored as it is, is a part of it.
  if (plain.buffer !== packed.buffer) free(packed);
  if (plain.length !== bytes) throw new DecodeError(`holds ${plain.length} bytes instead of ${bytes}`);
  if (hash('sha1', plain, 'hex') !== id) throw new DecodeError('does not match its hash');
  return plain;
}

function unpack(packed: Buffer, bytes: number, decodeLzma: DecodeLzma): Uint8Array {
  const mark = packed.toString('latin1', 0, 4);
  try {
    if (mark === 'VSZa') return unpackZstd(packed, bytes);
    if (mark.startsWith('VZa')) return unpackVz(packed, bytes, decodeLzma);
    if (mark === 'PK\x03\x04') return unzip(packed, bytes);
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    throw new DecodeError('cannot be decompressed');
  }
  throw new DecodeError('is packed in an unknown way');
}
