import { constants, crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import { encodeLzma, lzmaProperties } from '../lzma/encode-lzma.ts';

export const chunkFormats = ['zip', 'vz', 'zstd'] as const;

export type ChunkFormat = (typeof chunkFormats)[number];

const compressors: Record<ChunkFormat, (content: Buffer) => Buffer> = {
  zip: zipOne,
  vz: vzChunk,
  zstd: zstdChunk,
};

export function compressChunk(content: Buffer, format: ChunkFormat): Buffer {
  return compressors[format](content);
}

/** Real depots mix formats from chunk to chunk; here the chunk's own hash decides, so the choice never changes. */
export function mixedFormat(chunkHash: Buffer): ChunkFormat {
  return chunkFormats[(chunkHash[0] ?? 0) % chunkFormats.length] ?? 'zip';
}

const zipVersion = 20;
const storedMethod = 0;
const deflatedMethod = 8;
// Midnight of 1 January 1980, the format's own beginning: the same content always gives the same zip.
const dosDate = 0x21;
const deflateLevel = 6;

/** A zip of one entry called `z`, the shape of the platform's zipped chunks and manifests. */
export function zipOne(content: Buffer): Buffer {
  const name = Buffer.from('z');
  const compressed = deflateRawSync(content, { level: deflateLevel });
  const smaller = compressed.length < content.length;
  const data = smaller ? compressed : content;
  // The part that the local header and the central directory have in common.
  const common = Buffer.alloc(26);
  common.writeUInt16LE(zipVersion, 0);
  common.writeUInt16LE(smaller ? deflatedMethod : storedMethod, 4);
  common.writeUInt16LE(dosDate, 8);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(data.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name]);
  const madeBy = Buffer.from([zipVersion, 0]);
  // Comment, disk, attributes and the local header's offset are all zero.
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    madeBy,
    common,
    Buffer.alloc(14),
    name,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length + data.length, 16);
  return Buffer.concat([local, data, central, end]);
}

const zstdTrailerLength = 15;

/** A zstd chunk: `VSZa`, a CRC, the frame, then CRC, size, four zeros and `zsv` (docs/platform-emulator.md, wire: chunks). */
function zstdChunk(content: Buffer): Buffer {
  const crc = crc32(content);
  const header = Buffer.from('VSZa\0\0\0\0', 'latin1');
  header.writeUInt32LE(crc, 4);
  const frame = zstdCompressSync(content, {
    pledgedSrcSize: content.length,
    params: { [constants.ZSTD_c_compressionLevel]: 3 },
  });
  const trailer = Buffer.alloc(zstdTrailerLength);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(content.length, 4);
  trailer.write('zsv', 12, 'latin1');
  return Buffer.concat([header, frame, trailer]);
}

/** A VZ chunk: `VZa`, a CRC, LZMA properties and stream without end marker, then CRC, size and `zv` (docs/platform-emulator.md, wire: chunks). */
function vzChunk(content: Buffer): Buffer {
  const crc = crc32(content);
  const header = Buffer.from('VZa\0\0\0\0', 'latin1');
  header.writeUInt32LE(crc, 3);
  const trailer = Buffer.alloc(10);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(content.length, 4);
  trailer.write('zv', 8, 'latin1');
  return Buffer.concat([header, lzmaProperties, encodeLzma(content), trailer]);
}
