import { constants, crc32, zstdCompressSync } from 'node:zlib';

const trailerLength = 15;

/** A zstd chunk: `VSZa`, a CRC, the frame, then CRC, size, four zeros and `zsv` (docs/platform-emulator.md, wire: chunks). */
export function zstdChunk(content: Buffer): Buffer {
  const crc = crc32(content);
  const header = Buffer.from('VSZa\0\0\0\0', 'latin1');
  header.writeUInt32LE(crc, 4);
  const frame = zstdCompressSync(content, {
    pledgedSrcSize: content.length,
    params: { [constants.ZSTD_c_compressionLevel]: 3 },
  });
  const trailer = Buffer.alloc(trailerLength);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(content.length, 4);
  trailer.write('zsv', 12, 'latin1');
  return Buffer.concat([header, frame, trailer]);
}
