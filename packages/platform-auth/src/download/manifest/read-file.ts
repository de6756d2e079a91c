import { readName } from './file-names.ts';
import type { ManifestChunk, ManifestFile } from './manifest.ts';
import { mostChunkBytes, mostChunks, mostFileBytes } from './manifest-limits.ts';
import { MalformedManifest } from './manifest-sections.ts';
import { type Field, fieldsOf } from './protobuf-reader.ts';

const flags = { executable: 32n, directory: 64n, link: 512n };
const sha1Bytes = 20;
/** What cannot be compressed grows a little, and encryption adds a block or two. */
const mostStoredBytes = mostChunkBytes + 1024 * 1024;

const fileFields = { name: 1, bytes: 2, flags: 3, sha1: 5, chunk: 6, linkTarget: 7 };
const chunkFields = { sha1: 1, offset: 3, bytes: 4, storedBytes: 5 };
/** Others are not kept: there may be millions of them. */
const knownOfFile: ReadonlySet<number> = new Set(Object.values(fileFields));
const knownOfChunk: ReadonlySet<number> = new Set(Object.values(chunkFields));

/** One file of a manifest, its chunks sorted. Whether they are its content is for the plan to judge, as its name is. */
export function readFile(message: Buffer, nameKey: Uint8Array | undefined): ManifestFile {
  const numbers = new Map<number, bigint>();
  const texts = new Map<number, Buffer>();
  const chunks: ManifestChunk[] = [];
  for (const field of fieldsOf(message)) {
    if (!knownOfFile.has(field.number)) continue;
    if (field.number === fileFields.chunk) {
      if (chunks.push(readChunk(bytesOf(field))) > mostChunks)
        throw new MalformedManifest('has a file of too many pieces');
    } else if (typeof field.value === 'bigint') numbers.set(field.number, field.value);
    else texts.set(field.number, field.value);
  }
  const name = readName(texts.get(fileFields.name) ?? Buffer.alloc(0), nameKey);
  const bytes = numbers.get(fileFields.bytes) ?? 0n;
  if (bytes > mostFileBytes) throw new MalformedManifest(`has a file of ${bytes} bytes`);
  const bits = numbers.get(fileFields.flags) ?? 0n;
  const kind = kindOf(bits);
  chunks.sort((one, other) => one.offset - other.offset);
  const target = texts.get(fileFields.linkTarget) ?? Buffer.alloc(0);
  return {
    name,
    bytes: Number(bytes),
    kind,
    executable: (bits & flags.executable) !== 0n,
    ...(kind === 'link' ? { linkTarget: target.length === 0 ? '' : readName(target, nameKey) } : {}),
    chunks,
    ...sha1Of(texts.get(fileFields.sha1)),
  };
}

function kindOf(bits: bigint): ManifestFile['kind'] {
  const isDirectory = (bits & flags.directory) !== 0n;
  const isLink = (bits & flags.link) !== 0n;
  if (isDirectory && isLink) throw new MalformedManifest('has a directory that is a link');
  if (isDirectory) return 'directory';
  return isLink ? 'link' : 'file';
}

function readChunk(message: Buffer): ManifestChunk {
  let id = '';
  const numbers = new Map<number, bigint>();
  for (const { number, value } of fieldsOf(message)) {
    if (!knownOfChunk.has(number)) continue;
    if (typeof value === 'bigint') numbers.set(number, value);
    else if (number === chunkFields.sha1) id = value.toString('hex');
  }
  if (id.length !== 2 * sha1Bytes) throw new MalformedManifest('has a piece without a proper name');
  const within = (field: number, least: number, most: number): number => {
    const value = numbers.get(field) ?? 0n;
    if (value < least || value > most) throw new MalformedManifest('has a piece of an impossible size');
    return Number(value);
  };
  return {
    id,
    offset: within(chunkFields.offset, 0, mostFileBytes),
    bytes: within(chunkFields.bytes, 1, mostChunkBytes),
    storedBytes: within(chunkFields.storedBytes, 1, mostStoredBytes),
  };
}

/** Files without content have zeros. */
function sha1Of(raw: Buffer | undefined): { sha1?: string } {
  if (raw === undefined || raw.length === 0 || raw.every((byte) => byte === 0)) return {};
  if (raw.length !== sha1Bytes) throw new MalformedManifest('has a file with half a checksum');
  return { sha1: raw.toString('hex') };
}

export function bytesOf({ value }: Field): Buffer {
  if (typeof value === 'bigint') throw new MalformedManifest('has a number where a list belongs');
  return value;
}
