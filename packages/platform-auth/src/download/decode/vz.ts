import { DecodeError } from './decode-error.ts';
import type { DecodeLzma } from './lzma/decoder.ts';

// `VZa`, a CRC or a time; the five bytes of LZMA's properties; the stream; a CRC, the size, `zv`.
const propertiesAt = 7;
const propertiesBytes = 5;
const tailBytes = 10;

export function unpackVz(chunk: Buffer, bytes: number, decodeLzma: DecodeLzma): Uint8Array {
  const streamAt = propertiesAt + propertiesBytes;
  if (chunk.length < streamAt + tailBytes || chunk.toString('latin1', chunk.length - 2) !== 'zv')
    throw new DecodeError('is an LZMA chunk without its end');
  return decodeLzma(chunk.subarray(propertiesAt, streamAt), chunk.subarray(streamAt, -tailBytes), bytes);
}
