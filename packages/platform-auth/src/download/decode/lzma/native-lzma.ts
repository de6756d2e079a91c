import { createRequire } from 'node:module';
import type * as NapiLzma from '@napi-rs/lzma';
import { collectYoung } from '../collect-young.ts';
import { free } from '../free.ts';
import type { DecodeLzma } from './lzma.ts';

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
    const plain = decompressed(library, file);
    free(file);
    // The library's own memory cannot be given back by hand: only the collector does that.
    collectYoung();
    return plain;
  };
}

/** In memory of our own. */
function decompressed({ lzma }: typeof NapiLzma, file: Uint8Array): Uint8Array {
  return new Uint8Array(lzma.decompressSync(file));
}
