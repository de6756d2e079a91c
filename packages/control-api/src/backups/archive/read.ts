import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import { ArchiveError } from './archivist.ts';
import { reading, saying } from './disk-errors.ts';
import { chunkBytes, decompression, readTrailer, sha256, trailerBytes, trailerStart } from './file-frames.ts';
import type { ArchiveEntry, Manifest } from './manifest.ts';
import { archiveLimits } from './manifest.ts';
import { manifestFrom } from './manifest-rules.ts';
import { endOfTar, headOf, manifestHead, manifestWithin, paddingOf } from './tar-entry.ts';
import { through } from './through.ts';

const { O_RDONLY, O_NONBLOCK } = constants;

type FileEntry = Extract<ArchiveEntry, { kind: 'file' }>;

/** What becomes of the entries while they are read; what was told of a file holds only once its `end` came. */
export interface Taker {
  /** Before the first entry. */
  begin(manifest: Manifest): void;
  folder(entry: ArchiveEntry): void;
  file(entry: FileEntry): { take(chunk: Buffer): void; end(): void } | undefined;
}

/** Its manifest, from its beginning alone; nothing of the rest has been looked at. */
export function readManifest(path: string): Manifest {
  using file = new ArchiveFile(path);
  return file.manifest();
}

/** Reads all of it, and holds every byte against its manifest, in which everything has to stand. */
export async function readArchive(path: string, taker?: Taker): Promise<Manifest> {
  using file = new ArchiveFile(path);
  const manifest = file.manifest();
  taker?.begin(manifest);
  try {
    await through(createZstdDecompress(decompression), file.body(), async (chunks) => {
      await holdAgainst(manifest.entries, new Bytes(chunks), taker);
    });
  } catch (error) {
    throw isOfZlib(error) ? damaged('it cannot be decompressed', error) : error;
  }
  return manifest;
}

async function holdAgainst(entries: readonly ArchiveEntry[], bytes: Bytes, taker?: Taker): Promise<void> {
  for (const entry of entries) {
    await bytes.expect(headOf(entry), entry.path);
    if (entry.kind === 'folder') {
      taker?.folder(entry);
      continue;
    }
    const taking = taker?.file(entry);
    const hash = sha256();
    for (let left = entry.bytes; left > 0; ) {
      const chunk = await bytes.next(left);
      if (chunk === undefined) throw damaged(`it ends within ${entry.path}`);
      hash.update(chunk);
      taking?.take(chunk);
      left -= chunk.length;
    }
    if (hash.digest('hex') !== entry.sha256) throw damaged(`${entry.path} is not what its manifest says`);
    await bytes.expect(paddingOf(entry.bytes), entry.path);
    taking?.end();
  }
  await bytes.expect(endOfTar, 'its end');
  if ((await bytes.next(1)) !== undefined) throw damaged('it has more than its manifest says');
}

/** What a decompressor gives, in such pieces as are asked for. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** At least one, and at the most so many; undefined at the end. */
  async next(most: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) return undefined;
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async expect(expected: Buffer, where: string): Promise<void> {
    for (let at = 0; at < expected.length; ) {
      const piece = await this.next(expected.length - at);
      if (piece === undefined || !piece.equals(expected.subarray(at, at + piece.length)))
        throw damaged(`at ${where} it is not what its manifest says`);
      at += piece.length;
    }
  }
}

/** An archive that lies open. */
class ArchiveFile implements Disposable {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #hash = sha256();
  readonly #frame: number;
  readonly #bodyEnd: number;
  readonly #expectedHash: Buffer;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = saying(reading(path, false), () => openSync(path, O_RDONLY | O_NONBLOCK));
    try {
      const stats = fstatSync(this.#descriptor);
      if (!stats.isFile()) throw damaged('it is no file');
      this.#bodyEnd = Math.max(0, stats.size - trailerBytes);
      const trailer = readTrailer(this.#read(this.#bodyEnd, Buffer.alloc(trailerBytes)));
      if (trailer === undefined) throw damaged('it is cut off, or no backup of Steward');
      if (trailer.frame > Math.min(this.#bodyEnd, 2 * archiveLimits.manifestBytes))
        throw damaged('its manifest is larger than any');
      this.#frame = trailer.frame;
      this.#expectedHash = trailer.hash;
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  manifest(): Manifest {
    const frame = this.#read(0, Buffer.alloc(this.#frame));
    this.#hash.update(frame);
    const start = decompressed(frame);
    const json = manifestWithin(start);
    const found = manifestFrom(json);
    const expected = [manifestHead(found.madeAt, json.length), json, paddingOf(json.length)];
    if (!start.equals(Buffer.concat(expected))) throw damaged('its beginning is not what its manifest says');
    return found;
  }

  /** What follows the manifest, as long as the whole file is what was written. */
  *body(): Generator<Buffer> {
    // One is still being decompressed while the other is filled.
    const buffers = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)] as const;
    let at = this.#frame;
    for (let turn = 0; at < this.#bodyEnd; turn += 1) {
      const buffer = buffers[turn % 2] ?? buffers[0];
      const chunk = this.#read(at, buffer.subarray(0, Math.min(chunkBytes, this.#bodyEnd - at)));
      this.#hash.update(chunk);
      yield chunk;
      at += chunk.length;
    }
    this.#hash.update(trailerStart(this.#frame));
    if (!this.#hash.digest().equals(this.#expectedHash)) throw damaged('some of its bytes are other ones');
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }

  #read(from: number, into: Buffer): Buffer {
    let bytes = 0;
    while (bytes < into.length) {
      const more = saying(reading(this.#path, false), () =>
        readSync(this.#descriptor, into, bytes, into.length - bytes, from + bytes),
      );
      if (more === 0) return into.subarray(0, bytes);
      bytes += more;
    }
    return into;
  }
}

/** More than a manifest of the largest size with what stands around it. */
const mostStart = archiveLimits.manifestBytes + 16 * 512;

function decompressed(frame: Buffer): Buffer {
  try {
    return zstdDecompressSync(frame, { ...decompression, maxOutputLength: mostStart });
  } catch (error) {
    throw damaged('its manifest cannot be decompressed', error);
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ZSTD_|Z_)/.test(String(error.code));
}

export function damaged(what: string, cause?: unknown): ArchiveError {
  return new ArchiveError('damaged', what, { cause });
}
