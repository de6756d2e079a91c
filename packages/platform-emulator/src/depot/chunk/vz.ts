import { crc32 } from 'node:zlib';
import { encodeLzma, lzmaProperties } from '../lzma/encode-lzma.ts';

/** A VZ chunk: `VZa`, a CRC, LZMA properties and stream without end marker, then CRC, size and `zv` (docs/platform-emulator.md, wire: chunks). */
export function vzChunk(content: Buffer): Buffer {
  const crc = crc32(content);
  const header = Buffer.from('VZa\0\0\0\0', 'latin1');
  header.writeUInt32LE(crc, 3);
  const trailer = Buffer.alloc(10);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(content.length, 4);
  trailer.write('zv', 8, 'latin1');
  return Buffer.concat([header, lzmaProperties, encodeLzma(content), trailer]);
}
