import { createRequire } from 'node:module';
import type * as NapiLzma from '@napi-rs/lzma';
import { free } from '../free.ts';
import type { DecodeLzma } from './decoder.ts';

const dictionaryAt = 1;
const sizeAt = 5;
const headBytes = 13;
/** The format allows none that is smaller. */
const smallestDictionary = 4096;

/** The decoder of @napi-rs/lzma; undefined on a machine that it has no binary for. */
export function nativeLzma(): DecodeLzma | undefined {
  let library: typeof NapiLzma;
  try {
    library = createRequire(import.meta.url)('@napi-rs/lzma');
  } catch {
    return undefined;
  }
  return (properties, stream, bytes) => {
    const file = Buffer.allocUnsafe(headBytes + stream.length);
    file.set(properties);
    // Nothing can point further back than to the beginning, whatever size of dictionary the stream asks for.
    file.writeUInt32LE(Math.max(bytes, smallestDictionary), dictionaryAt);
    file.writeBigUInt64LE(BigInt(bytes), sizeAt);
    file.set(stream, headBytes);
    const plain = library.lzma.decompressSync(file);
    free(file);
    return plain;
  };
}
