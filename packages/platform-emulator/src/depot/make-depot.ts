import { createHash } from 'node:crypto';
import { type ChunkFormat, compressChunk, mixedFormat, zipOne } from './chunk/chunk-format.ts';
import { encryptSymmetric } from './chunk/symmetric-cipher.ts';
import type { ChunkStore } from './chunk-store.ts';
import { contentOf, type Depot, type DepotAudience, type DepotFile, type FileContent } from './depot.ts';
import {
  adlerFromZero,
  encodeManifest,
  fileFlags,
  type ManifestChunk,
  type ManifestEntry,
} from './manifest.ts';

export const chunkSize = 1 << 20;
const shaLength = 20;
// 14 November 2023: any fixed moment, so that the same files give the same manifest.
const defaultCreation = 1_700_000_000;

export interface DepotPlan extends DepotAudience {
  depotId: number;
  name: string;
  format?: ChunkFormat | 'mixed';
  chunkStore?: ChunkStore;
  /** Names in the clear, as the oldest manifests have them. */
  clearNames?: boolean;
  /** Seconds since 1970. */
  createdAt?: number;
  /** What the manifest says in place of the truth, for hostile manifests. */
  distort?: (entries: ManifestEntry[]) => ManifestEntry[];
}

/** Makes a depot of a list of files. Content is read chunk by chunk and not kept. */
export function makeDepot(plan: DepotPlan, files: readonly DepotFile[]): Depot {
  const key = createHash('sha256').update(`the key of depot ${plan.depotId}`).digest();
  const builder = new ChunkBuilder(plan, key);
  const entries = files.map((file) => entryOf(file, builder));
  const listed = plan.distort?.(entries) ?? entries;
  const sizes = {
    sizeOnDisk: entries.reduce((sum, entry) => sum + Number(entry.size), 0),
    sizeToDownload: builder.sizeToDownload,
  };
  const head = {
    depotId: plan.depotId,
    createdAt: plan.createdAt ?? defaultCreation,
    uniqueChunks: builder.ids.length,
    ...sizes,
    ...(plan.clearNames === true ? {} : { nameKey: key }),
  };
  const { manifestId, bytes } = encodeManifest(head, listed);
  const { depotId, name, osList, osArch, language } = plan;
  return {
    depotId,
    name,
    ...(osList === undefined ? {} : { osList }),
    ...(osArch === undefined ? {} : { osArch }),
    ...(language === undefined ? {} : { language }),
    key,
    manifestId,
    ...sizes,
    rawManifest: zipOne(bytes),
    files,
    chunkIds: builder.ids,
    chunk: (id) => builder.serve(id),
  };
}

interface ChunkSource {
  content: FileContent;
  offset: number;
  size: number;
  format: ChunkFormat;
  servedSize: number;
}

/** Knows where each chunk's bytes come from, and makes it as served when it is asked for. */
class ChunkBuilder {
  sizeToDownload = 0;
  readonly #plan: DepotPlan;
  readonly #key: Buffer;
  readonly #sources = new Map<string, ChunkSource>();

  constructor(plan: DepotPlan, key: Buffer) {
    this.#plan = plan;
    this.#key = key;
  }

  get ids(): string[] {
    return [...this.#sources.keys()];
  }

  add(content: FileContent, offset: number, plain: Buffer): ManifestChunk {
    const sha = createHash('sha1').update(plain).digest();
    const id = sha.toString('hex');
    const source = this.#sources.get(id) ?? this.#learn(id, sha, content, offset, plain);
    const { servedSize } = source;
    return { sha, adler: adlerFromZero(plain), offset: BigInt(offset), size: plain.length, servedSize };
  }

  serve(id: string): Buffer | undefined {
    const source = this.#sources.get(id);
    if (source === undefined) return undefined;
    return (
      this.#plan.chunkStore?.get(id) ??
      this.#make(source.content.read(source.offset, source.size), source.format)
    );
  }

  #learn(id: string, sha: Buffer, content: FileContent, offset: number, plain: Buffer): ChunkSource {
    const format = this.#plan.format ?? 'mixed';
    const chosen = format === 'mixed' ? mixedFormat(sha) : format;
    const kept = this.#plan.chunkStore?.get(id);
    const served = kept ?? this.#make(plain, chosen);
    if (kept === undefined) this.#plan.chunkStore?.put(id, served);
    const source = { content, offset, size: plain.length, format: chosen, servedSize: served.length };
    this.#sources.set(id, source);
    this.sizeToDownload += served.length;
    return source;
  }

  #make(plain: Buffer, format: ChunkFormat): Buffer {
    return encryptSymmetric(compressChunk(plain, format), this.#key);
  }
}

function entryOf(file: DepotFile, builder: ChunkBuilder): ManifestEntry {
  const bare = { name: file.name, size: 0n, contentSha: Buffer.alloc(shaLength), chunks: [] };
  if (file.kind === 'directory') return { ...bare, flags: fileFlags.directory };
  if (file.kind === 'symlink') return { ...bare, flags: fileFlags.symlink, linkTarget: file.target };
  const content = contentOf(file.content);
  const flags = file.executable === true ? fileFlags.executable : 0;
  // An empty file has no chunks, and zeros where its sha1 would stand.
  if (content.size === 0) return { ...bare, flags };
  const whole = createHash('sha1');
  const chunks: ManifestChunk[] = [];
  for (let offset = 0; offset < content.size; offset += chunkSize) {
    const plain = content.read(offset, Math.min(chunkSize, content.size - offset));
    whole.update(plain);
    chunks.push(builder.add(content, offset, plain));
  }
  return { ...bare, size: BigInt(content.size), flags, contentSha: whole.digest(), chunks };
}
