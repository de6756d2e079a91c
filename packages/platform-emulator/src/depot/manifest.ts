import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encryptName } from './chunk/symmetric-cipher.ts';

/** The flags of a file in a manifest (docs/platform-emulator.md, wire: manifest). */
export const fileFlags = { executable: 32, directory: 64, symlink: 512 } as const;

export interface ManifestChunk {
  /** The sha1 of the chunk's plain bytes, by which it is fetched. */
  sha: Buffer;
  adler: number;
  offset: bigint;
  size: number;
  /** As served: compressed and encrypted. */
  servedSize: number;
}

/** One file as the manifest tells of it, which in a hostile manifest need not be the truth. */
export interface ManifestEntry {
  name: string;
  size: bigint;
  flags: number;
  contentSha: Buffer;
  chunks: ManifestChunk[];
  linkTarget?: string;
}

// The sections' magic numbers (docs/platform-emulator.md, wire: manifest); the messages are those of the package's content_manifest.proto.
const payloadMagic = 0x71f617d0;
const metadataMagic = 0x1f4812be;
const signatureMagic = 0x1b81b817;
const endMagic = 0x32c415ab;

interface ManifestHead {
  depotId: number;
  createdAt: number;
  sizeOnDisk: number;
  sizeToDownload: number;
  uniqueChunks: number;
  /** Absent: names are written in the clear. */
  nameKey?: Buffer;
}

interface EncodedManifest {
  manifestId: string;
  bytes: Buffer;
}

/** The manifest before it is zipped. Its id comes from its content, as another content must have another id. */
export function encodeManifest(head: ManifestHead, entries: readonly ManifestEntry[]): EncodedManifest {
  const clear = encodePayload(entries, (name) => name);
  const { nameKey } = head;
  const payload =
    nameKey === undefined ? clear : encodePayload(entries, (name) => encryptName(name, nameKey));
  const identity = createHash('sha1').update(`${head.depotId} ${head.createdAt} `).update(clear).digest();
  const manifestId = BigInt.asUintN(63, identity.readBigUInt64LE()).toString();
  const metadata = new ProtobufWriter()
    .integer(1, head.depotId)
    .integer(2, BigInt(manifestId))
    .integer(3, head.createdAt)
    .integer(4, nameKey === undefined ? 0 : 1)
    .integer(5, head.sizeOnDisk)
    .integer(6, head.sizeToDownload)
    .integer(7, head.uniqueChunks)
    .integer(8, nameKey === undefined ? 0 : payloadCrc(payload))
    .integer(9, payloadCrc(clear))
    .finish();
  const bytes = Buffer.concat([
    section(payloadMagic, payload),
    section(metadataMagic, metadata),
    section(signatureMagic, Buffer.alloc(0)),
    u32(endMagic),
  ]);
  return { manifestId, bytes };
}

function encodePayload(entries: readonly ManifestEntry[], wireName: (name: string) => string): Buffer {
  const payload = new ProtobufWriter();
  for (const entry of entries) payload.bytes(1, encodeEntry(entry, wireName));
  return payload.finish();
}

function encodeEntry(entry: ManifestEntry, wireName: (name: string) => string): Buffer {
  const nameSha = createHash('sha1').update(entry.name.toLowerCase()).digest();
  const mapping = new ProtobufWriter()
    .bytes(1, Buffer.from(wireName(entry.name)))
    .integer(2, entry.size)
    .integer(3, entry.flags)
    .bytes(4, nameSha)
    .bytes(5, entry.contentSha);
  for (const chunk of entry.chunks) mapping.bytes(6, encodeChunk(chunk));
  if (entry.linkTarget !== undefined) mapping.bytes(7, Buffer.from(wireName(entry.linkTarget)));
  return mapping.finish();
}

function encodeChunk(chunk: ManifestChunk): Buffer {
  return new ProtobufWriter()
    .bytes(1, chunk.sha)
    .fixed32(2, chunk.adler)
    .integer(3, chunk.offset)
    .integer(4, chunk.size)
    .integer(5, chunk.servedSize)
    .finish();
}

/** The metadata's CRCs cover the payload together with its length. */
function payloadCrc(payload: Buffer): number {
  return crc32(payload, crc32(u32(payload.length)));
}

function section(magic: number, body: Buffer): Buffer {
  return Buffer.concat([u32(magic), u32(body.length), body]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const adlerModulus = 65_521;
// The most bytes whose sums stay below 2^32 when the modulo is put off.
const adlerRun = 5_552;

/** Adler-32 as manifests use it: with seed 0, where everyone else's begins with 1 (docs/platform-emulator.md, wire: manifest). */
export function adlerFromZero(bytes: Uint8Array): number {
  let low = 0;
  let high = 0;
  for (let start = 0; start < bytes.length; start += adlerRun) {
    const end = Math.min(start + adlerRun, bytes.length);
    for (let index = start; index < end; index++) {
      low += bytes[index] ?? 0;
      high += low;
    }
    low %= adlerModulus;
    high %= adlerModulus;
  }
  return ((high << 16) | low) >>> 0;
}

const varint = 0;
const lengthDelimited = 2;
const fixed32 = 5;

/** Writes the few protobuf wire types that a manifest is made of. */
class ProtobufWriter {
  readonly #parts: Buffer[] = [];

  integer(field: number, value: number | bigint): this {
    this.#parts.push(tag(field, varint), encodeVarint(value));
    return this;
  }

  fixed32(field: number, value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    this.#parts.push(tag(field, fixed32), bytes);
    return this;
  }

  bytes(field: number, value: Buffer): this {
    this.#parts.push(tag(field, lengthDelimited), encodeVarint(value.length), value);
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function tag(field: number, wireType: number): Buffer {
  return encodeVarint((field << 3) | wireType);
}

function encodeVarint(value: number | bigint): Buffer {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
