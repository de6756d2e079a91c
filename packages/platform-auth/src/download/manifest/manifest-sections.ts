import { crc32 } from 'node:zlib';
import { fieldsOf } from './protobuf-reader.ts';

const magics = { payload: 0x71f617d0, metadata: 0x1f4812be, signature: 0x1b81b817, end: 0x32c415ab } as const;
const headBytes = 8;

/** What a manifest says of itself. */
export interface ManifestMetadata {
  readonly depotId: number;
  /** 64 bits, decimal. */
  readonly manifestId: string;
  readonly namesAreEncrypted: boolean;
}

export interface ManifestSections {
  readonly metadata: ManifestMetadata;
  /** The list of files, as it came. */
  readonly payload: Buffer;
}

/** A manifest in words of what is wrong with it; whoever knows which manifest it is says so, too. */
export class MalformedManifest extends Error {}

/** Cuts an unzipped manifest into its parts and compares the list of files with its checksum. */
export function splitManifest(bytes: Buffer): ManifestSections {
  const sections = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const magic = bytes.readUInt32LE(at);
    if (magic === magics.end) break;
    if (!Object.values<number>(magics).includes(magic)) throw new MalformedManifest('has an unknown part');
    const start = at + headBytes;
    const length = start <= bytes.length ? bytes.readUInt32LE(at + 4) : 0;
    if (start + length > bytes.length) throw new MalformedManifest('ends too early');
    if (sections.has(magic)) throw new MalformedManifest('has a part twice');
    sections.set(magic, bytes.subarray(start, start + length));
    at = start + length;
  }
  const payload = sections.get(magics.payload);
  const metadata = sections.get(magics.metadata);
  if (payload === undefined || metadata === undefined) throw new MalformedManifest('lacks a part');
  return { payload, metadata: readMetadata(metadata, payload) };
}

const metadataFields = { depotId: 1, manifestId: 2, namesAreEncrypted: 4, crcEncrypted: 8, crcClear: 9 };
const knownFields: ReadonlySet<number> = new Set(Object.values(metadataFields));

function readMetadata(bytes: Buffer, payload: Buffer): ManifestMetadata {
  const numbers = new Map<number, bigint>();
  for (const { number, value } of fieldsOf(bytes))
    if (typeof value === 'bigint' && knownFields.has(number)) numbers.set(number, value);
  const said = (field: keyof typeof metadataFields): bigint => numbers.get(metadataFields[field]) ?? 0n;
  const namesAreEncrypted = said('namesAreEncrypted') !== 0n;
  const crc = said(namesAreEncrypted ? 'crcEncrypted' : 'crcClear');
  // Not every manifest has one.
  if (crc !== 0n && crc !== BigInt(crcOf(payload)))
    throw new MalformedManifest('does not match its checksum');
  return {
    depotId: Number(said('depotId')),
    manifestId: said('manifestId').toString(),
    namesAreEncrypted,
  };
}

/** The checksum covers the length as well. */
function crcOf(payload: Buffer): number {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(payload.length);
  return crc32(payload, crc32(length));
}
