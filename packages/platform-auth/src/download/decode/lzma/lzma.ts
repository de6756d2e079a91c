import { decodeLzma } from './decode-lzma.ts';
import type { DecodeLzma } from './decoder.ts';
import { nativeLzma } from './native-lzma.ts';

/** From this share of its size on, a chunk consists of bytes that nothing could be done about. */
const incompressible = 0.95;

/**
 * The faster one for each chunk, where the machine has a binary of the native one: what could be compressed is the native one's, what
 * could not be is ours (`docs/download.md` has the figures). Everywhere else the portable one for all.
 */
export function chooseLzma(native: DecodeLzma | undefined = nativeLzma()): DecodeLzma {
  if (native === undefined) return decodeLzma;
  return (properties, stream, bytes) =>
    (stream.length < incompressible * bytes ? native : decodeLzma)(properties, stream, bytes);
}
