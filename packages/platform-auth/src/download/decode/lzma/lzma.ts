import { decodeLzma } from './decode-lzma.ts';
import { nativeLzma } from './native-lzma.ts';

/** `properties` are the five bytes of an LZMA header; what comes out has `bytes` bytes, or it throws. */
export type DecodeLzma = (properties: Uint8Array, stream: Uint8Array, bytes: number) => Uint8Array;

/** The faster one where the machine has a binary for it, and the portable one everywhere else. */
export function chooseLzma(): DecodeLzma {
  return nativeLzma() ?? decodeLzma;
}
