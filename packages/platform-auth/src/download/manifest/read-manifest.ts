import { setImmediate as others } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { decrypt } from '../decode/decrypt.ts';
import { firstEntry } from '../decode/unpack.ts';
import { ContentError } from '../problems/problem.ts';
import {
  type DepotManifest,
  type ManifestChunk,
  type ManifestFile,
  mostChunkBytes,
  mostChunks,
  mostFileBytes,
  mostFiles,
} from './manifest.ts';
import { MalformedManifest, type ManifestMetadata, splitManifest } from './manifest-sections.ts';
import { type Field, fieldsOf, ProtobufError } from './protobuf-reader.ts';

/** The real game's has a few hundred kilobytes. */
const mostBytes = 32 * 1024 * 1024;
/** Read in one go; then everybody else has a turn. */
const filesAtOnce = 64;
const fileField = 1;

export interface ManifestIdentity {
  readonly appId: number;
  readonly depotId: number;
  readonly manifestId: string;
}

/**
 * Reads a manifest as a content server gives it. What cannot be a manifest is refused as a whole; names, and whether
 * the chunks of a file fit together, are for the plan to judge.
 */
export async function readManifest(
  archive: Buffer,
  identity: ManifestIdentity,
  depotKey: Uint8Array,
): Promise<DepotManifest> {
  try {
    const { metadata, payload } = splitManifest(await unpack(archive));
    checkIdentity(metadata, identity);
    const files: ManifestFile[] = [];
    let chunks = 0;
    const nameKey = metadata.namesAreEncrypted ? depotKey : undefined;
    for (const field of fieldsOf(payload)) {
      if (field.number !== fileField) continue;
      const file = readFile(bytesOf(field), nameKey);
      files.push(file);
      chunks += file.chunks.length;
      if (files.length > mostFiles) throw new MalformedManifest(`lists more than ${mostFiles} files`);
      if (chunks > mostChunks) throw new MalformedManifest(`lists more than ${mostChunks} pieces`);
      if (files.length % filesAtOnce === 0) await others();
    }
    return { ...identity, files };
  } catch (error) {
    throw asMalformed(error, identity);
  }
}

async function unpack(archive: Buffer): Promise<Buffer> {
  const { method, content } = firstEntry(archive);
  return method === 'stored' ? content : promisify(inflateRaw)(content, { maxOutputLength: mostBytes });
}

function checkIdentity(metadata: ManifestMetadata, { depotId, manifestId }: ManifestIdentity): void {
  if (metadata.depotId !== depotId || metadata.manifestId !== manifestId)
    throw new MalformedManifest('is that of another depot or version');
}

function asMalformed(error: unknown, { depotId, manifestId }: ManifestIdentity): ContentError {
  const what =
    error instanceof MalformedManifest
      ? error.message
      : error instanceof ProtobufError
        ? 'is cut off or damaged'
        : 'cannot be unpacked';
  return new ContentError('malformed-manifest', `The manifest ${manifestId} of depot ${depotId} ${what}`);
}

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
function readFile(message: Buffer, nameKey: Uint8Array | undefined): ManifestFile {
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

function bytesOf({ value }: Field): Buffer {
  if (typeof value === 'bigint') throw new MalformedManifest('has a number where a list belongs');
  return value;
}

/** Far above every path that a file system takes; the plan refuses those, by name. */
const longestNameBytes = 16_384;

const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads names as the manifest has them: in the clear, or in base64 of what the depot's key opens. */
function readName(raw: Buffer, key: Uint8Array | undefined): string {
  if (raw.length > longestNameBytes) throw new MalformedManifest('has an endless file name');
  try {
    const clear = key === undefined ? raw : decrypt(Buffer.from(raw.toString('latin1'), 'base64'), key);
    // Encrypted names end at a zero byte. One in the middle stays, for the plan to refuse.
    const end = clear[clear.length - 1] === 0 ? clear.length - 1 : clear.length;
    return text.decode(clear.subarray(0, end)).replaceAll('\\', '/');
  } catch {
    throw new MalformedManifest('has a file name that cannot be read');
  }
}
