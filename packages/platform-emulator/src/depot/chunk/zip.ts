import { crc32, deflateRawSync } from 'node:zlib';

const versionNeeded = 20;
const stored = 0;
const deflated = 8;
// Midnight of 1 January 1980, the format's own beginning: the same content always gives the same zip.
const dosDate = 0x21;
const level = 6;

/** A zip of one entry called `z`, the shape of the platform's zipped chunks and manifests. */
export function zipOne(content: Buffer): Buffer {
  const name = Buffer.from('z');
  const compressed = deflateRawSync(content, { level });
  const smaller = compressed.length < content.length;
  const data = smaller ? compressed : content;
  // The part that the local header and the central directory have in common.
  const common = Buffer.alloc(26);
  common.writeUInt16LE(versionNeeded, 0);
  common.writeUInt16LE(smaller ? deflated : stored, 4);
  common.writeUInt16LE(dosDate, 8);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(data.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name]);
  const madeBy = Buffer.from([versionNeeded, 0]);
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
