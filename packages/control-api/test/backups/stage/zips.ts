import { crc32, deflateRawSync } from 'node:zlib';

/** A file of a zip, and what is to be wrong with it. */
export interface Zipped {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly crc?: number;
  /** What it says that it has, uncompressed. */
  readonly bytes?: number;
  readonly flags?: number;
  readonly method?: number;
  /** As a Unix has it. */
  readonly mode?: number;
}

/** A zip with these, as little as every reader takes. */
export function zipOf(files: readonly Zipped[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const { name, content = '', flags = 0x800, method = 8, mode = 0, ...lies } of files) {
    const raw = Buffer.from(content);
    const data = method === 8 ? deflateRawSync(raw) : raw;
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(lies.crc ?? crc32(raw), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(lies.bytes ?? raw.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, data]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(mode * 0x1_00_00, 6);
    more.writeUInt32LE(at, 10);
    const head = Buffer.from('PK\x01\x02\x14\x03', 'latin1');
    centrals.push(Buffer.concat([head, common, more, nameBytes]));
    locals.push(local);
    at += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, central, end]);
}
