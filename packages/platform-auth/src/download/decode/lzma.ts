import { createRequire } from 'node:module';
import type * as NapiLzma from '@napi-rs/lzma';
import { DecodeError } from './decode-error.ts';
import { free } from './free.ts';

/** `properties` are the five bytes of an LZMA header; what comes out has `bytes` bytes, or is refused by who knows its sha1. */
export type DecodeLzma = (properties: Uint8Array, stream: Uint8Array, bytes: number) => Uint8Array;

/** The part of the library that is used here; it brings no types. What it takes for text it hands out as text. */
interface PortableLibrary {
  decompress(file: Uint8Array): string | readonly number[];
}

const require = createRequire(import.meta.url);

/** The decoder of @napi-rs/lzma; on a machine that it has no binary for, why not. */
export function nativeLzma(): DecodeLzma | { readonly missing: string } {
  let library: typeof NapiLzma;
  try {
    library = require('@napi-rs/lzma');
  } catch (error) {
    return { missing: reasonOf(error) };
  }
  return (properties, stream, bytes) => {
    const file = fileOf(properties, stream, bytes);
    const plain = library.lzma.decompressSync(file);
    free(file);
    return plain;
  };
}

/** What the heap of a decoding thread suffices for in the portable library, which holds each byte as a number. The platform's chunks have 1 MiB. */
export const mostPortableBytes = 2 * 1024 * 1024;

/** The decoder of `lzma`, which steam-user brings along: JavaScript, several times slower (`docs/performance.md` has the figures). */
export function portableLzma(): DecodeLzma {
  const library: PortableLibrary = require('lzma');
  return (properties, stream, bytes) => {
    // No bytes would mean to it that nobody knows how many, and then it looks for an end mark for ever.
    if (bytes === 0) return new Uint8Array();
    if (bytes > mostPortableBytes)
      throw new DecodeError('is larger than 2 MiB, the most that is decoded without @napi-rs/lzma');
    const file = fileOf(properties, stream, bytes);
    const plain = library.decompress(file);
    free(file);
    return typeof plain === 'string' ? new TextEncoder().encode(plain) : Uint8Array.from(plain);
  };
}

/** The native decoder, or else the portable one, which is told of when it is first needed. */
export function chooseLzma(
  warn: (text: string) => void,
  native = nativeLzma(),
  loadPortable = portableLzma,
): DecodeLzma {
  if (typeof native === 'function') return native;
  let portable: DecodeLzma | undefined;
  return (...chunk) => {
    portable ??= portableOrNone(native.missing, loadPortable, warn);
    return portable(...chunk);
  };
}

function portableOrNone(
  missing: string,
  load: typeof portableLzma,
  warn: (text: string) => void,
): DecodeLzma {
  const where = `@napi-rs/lzma does not load here (${process.platform} ${process.arch}: ${firstLine(missing)})`;
  const remedy = 'Use the image, or install for this system again, with optional packages';
  try {
    const portable = load();
    warn(
      `${where}, so LZMA is decoded in JavaScript: the download works, but takes several times as long. ${remedy}`,
    );
    return portable;
  } catch (error) {
    // The chunk is as good as any: without a word of this its servers would be blamed.
    warn(
      `${where}, and neither does lzma (${firstLine(reasonOf(error))}), so LZMA cannot be decoded. ${remedy}`,
    );
    return () => {
      throw new DecodeError('is LZMA, for which there is no decoder here');
    };
  }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const dictionaryAt = 1;
const sizeAt = 5;
const headBytes = 13;
/** The format allows none that is smaller. */
const smallestDictionary = 4096;
/** Where 9 contexts, 5 position bits for literals and 5 for matches end. */
const propertyCount = 9 * 5 * 5;
/** More would want megabytes of models; no encoder of the platform's uses them. */
const mostLiteralBits = 4;

/** A whole LZMA file of a known size, without an end mark. */
function fileOf(properties: Uint8Array, stream: Uint8Array, bytes: number): Buffer {
  const packed = properties[0] ?? propertyCount;
  if (packed >= propertyCount || (packed % 9) + (Math.floor(packed / 9) % 5) > mostLiteralBits)
    throw new DecodeError('has invalid LZMA properties');
  const file = Buffer.allocUnsafe(headBytes + stream.length);
  file.set(properties);
  // Nothing can point further back than to the beginning, whatever size of dictionary the stream asks for.
  file.writeUInt32LE(Math.max(bytes, smallestDictionary), dictionaryAt);
  file.writeBigUInt64LE(BigInt(bytes), sizeAt);
  file.set(stream, headBytes);
  return file;
}
