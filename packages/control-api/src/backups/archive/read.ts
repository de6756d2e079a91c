import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import { archiveLimits } from './archive-format.ts';
import { ArchiveError } from './archivist.ts';
import { reading, saying } from './disk-errors.ts';
import { chunkBytes, decompression, readTrailer, sha256, trailerBytes, trailerStart } from './file-frames.ts';
import type { ArchiveEntry, Manifest } from './manifest.ts';
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

/** How far an archive goes. */
export interface Extent {
  /** The length of its first frame. */
  readonly frame: number;
  /** Up to where its body can be read from here: in one that grows, once that is worth it; `at` itself where the body ends. */
  readableFrom(at: number): Promise<number>;
}

/** What is read back while it is being written, by who knows what has to be in it. */
export interface Growing {
  readonly manifest: Manifest;
  readonly extent: Extent;
}

/** Its manifest, from its beginning alone; nothing of the rest has been looked at. */
export async function readManifest(path: string): Promise<Manifest> {
  using file = new ArchiveFile(path);
  return await file.manifest();
}

/**
 * Reads all of it, and holds every byte against its manifest, in which everything has to stand. Whoever is writing it says what that
 * has to be.
 */
export async function readArchive(path: string, taker?: Taker, growing?: Growing): Promise<Manifest> {
  using file = new ArchiveFile(path, growing?.extent);
  const manifest = await file.manifest(growing?.manifest);
  taker?.begin(manifest);
  await decompressed(file.body(), (chunks) => holdAgainst(manifest.entries, new Bytes(chunks), taker));
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
    if (hash.digest('hex') !== entry.sha256) throw damaged(`${entry.path} does not match its manifest`);
    await bytes.expect(paddingOf(entry.bytes), entry.path);
    taking?.end();
  }
  await bytes.expect(endOfTar, 'its end');
  if ((await bytes.next(1)) !== undefined) throw damaged('it contains more than its manifest says');
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
        throw damaged(`at ${where} it does not match its manifest`);
      at += piece.length;
    }
  }
}

/** An archive that lies open. */
class ArchiveFile implements Disposable {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #hash = sha256();
  readonly #extent: Extent;

  constructor(path: string, extent?: Extent) {
    this.#path = path;
    this.#descriptor = saying(reading(path, false), () => openSync(path, O_RDONLY | O_NONBLOCK));
    try {
      this.#extent = extent ?? this.#whole();
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  async manifest(written?: Manifest): Promise<Manifest> {
    const frame = this.#read(0, Buffer.alloc(this.#extent.frame));
    this.#hash.update(frame);
    const start = await startFrom(frame);
    const json = manifestWithin(start);
    const found = written ?? (await import('./manifest-rules.ts')).manifestFrom(json);
    if (written !== undefined && !json.equals(Buffer.from(JSON.stringify(written))))
      throw damaged('its manifest was changed');
    const expected = [manifestHead(found.madeAt, json.length), json, paddingOf(json.length)];
    if (!start.equals(Buffer.concat(expected))) throw damaged('its beginning does not match its manifest');
    return found;
  }

  /** What follows the manifest, as long as the whole file is what was written. */
  async *body(): AsyncGenerator<Buffer> {
    // One is still being decompressed while the other is filled.
    const buffers = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)] as const;
    const { frame } = this.#extent;
    let at = frame;
    for (let turn = 0; ; turn += 1) {
      const end = await this.#extent.readableFrom(at);
      if (end === at) break;
      const buffer = buffers[turn % 2] ?? buffers[0];
      const chunk = this.#read(at, buffer.subarray(0, Math.min(chunkBytes, end - at)));
      if (chunk.length === 0) throw cutOff();
      this.#hash.update(chunk);
      yield chunk;
      at += chunk.length;
    }
    this.#hash.update(trailerStart(frame));
    const found = this.#trailer();
    if (found.bodyEnd !== at || found.frame !== frame || !found.hash.equals(this.#hash.digest()))
      throw damaged('some of its bytes were changed');
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }

  #whole(): Extent {
    const { frame, bodyEnd } = this.#trailer();
    if (frame > Math.min(bodyEnd, 2 * archiveLimits.manifestBytes))
      throw damaged('its manifest is too large');
    return { frame, readableFrom: () => Promise.resolve(bodyEnd) };
  }

  #trailer(): { frame: number; bodyEnd: number; hash: Buffer } {
    const stats = fstatSync(this.#descriptor);
    if (!stats.isFile()) throw damaged('it is not a file');
    const bodyEnd = Math.max(0, stats.size - trailerBytes);
    const trailer = readTrailer(this.#read(bodyEnd, Buffer.alloc(trailerBytes)));
    if (trailer === undefined) throw cutOff();
    return { ...trailer, bodyEnd };
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

async function startFrom(frame: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  await decompressed([frame], async (chunks) => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > mostStart) throw damaged('its manifest is too large');
      pieces.push(Buffer.from(chunk));
    }
  });
  return Buffer.concat(pieces);
}

/** One frame, no less and no more. */
async function decompressed(
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  take: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  try {
    await through(createZstdDecompress(decompression), parts, take);
  } catch (error) {
    throw isOfZlib(error) ? damaged('it cannot be decompressed', error) : error;
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ZSTD_|Z_)/.test(String(error.code));
}

function cutOff(): ArchiveError {
  return damaged('it is cut off, or not a backup from Steward');
}

export function damaged(what: string, cause?: unknown): ArchiveError {
  return new ArchiveError('damaged', what, { cause });
}
