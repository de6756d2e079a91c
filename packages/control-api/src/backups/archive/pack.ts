import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createZstdCompress, zstdCompressSync } from 'node:zlib';
import { ArchiveError, type PackJob } from './archivist.ts';
import { reading, saying, writing } from './disk-errors.ts';
import { chunkBytes, compression, sha256, trailerStart } from './file-frames.ts';
import { lookAt, type Seen, seenAs } from './look.ts';
import { type ArchiveEntry, archiveFormat, archiveLimits, type Manifest } from './manifest.ts';
import { readArchive } from './read.ts';
import { endOfTar, headOf, manifestHead, paddingOf } from './tar-entry.ts';
import { through } from './through.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Makes an archive at `part`, reads it back and gives it its name. Every source is read twice, and looked at before, between and
 * after: where any of that differs there is no archive, as half of it would be of one save and half of the next.
 */
export async function pack(
  { to, sources, about }: PackJob,
  part: string,
): Promise<{ readonly manifest: Manifest; readonly bytes: number }> {
  const { seen, leftOut } = saying(reading('what is to be kept', false), () => lookAt(sources));
  const manifest: Manifest = {
    steward: 'backup',
    format: archiveFormat,
    ...about,
    leftOut: [...leftOut],
    entries: seen.map(entryOf),
  };
  const file = saying(writing(part), () => new NewFile(part));
  try {
    const manifestFrame = zstdCompressSync(manifestPart(manifest), compression);
    file.write(manifestFrame);
    await through(createZstdCompress(compression), bodyOf(seen, manifest.entries), async (chunks) => {
      for await (const chunk of chunks) file.write(chunk);
    });
    file.end(manifestFrame.length);
    const after = saying(reading('what is to be kept', true), () => lookAt(sources));
    if (stampsOf(after) !== stampsOf({ seen, leftOut }))
      throw new ArchiveError('changed', 'what was copied changed meanwhile');
  } finally {
    file.close();
  }
  const readBack = await readArchive(part);
  saying(writing(to), () => nameIt(part, to));
  return { manifest: readBack, bytes: file.bytes };
}

function entryOf(one: Seen): ArchiveEntry {
  const common = { path: one.path, mode: one.mode, modifiedAt: String(one.modifiedAt) };
  if (one.kind === 'folder') return { kind: 'folder', ...common };
  const hash = sha256();
  for (const chunk of contentOf(one)) hash.update(chunk);
  return { kind: 'file', ...common, bytes: one.bytes, sha256: hash.digest('hex') };
}

function manifestPart(manifest: Manifest): Buffer {
  const json = Buffer.from(JSON.stringify(manifest));
  if (json.length > archiveLimits.manifestBytes)
    throw new ArchiveError(
      'too-large',
      `its list of files has more than ${archiveLimits.manifestBytes} bytes`,
    );
  return Buffer.concat([manifestHead(manifest.madeAt, json.length), json, paddingOf(json.length)]);
}

function* bodyOf(seen: readonly Seen[], entries: readonly ArchiveEntry[]): Generator<Buffer> {
  for (const [index, entry] of entries.entries()) {
    yield headOf(entry);
    const one = seen[index];
    if (entry.kind === 'folder' || one === undefined) continue;
    const hash = sha256();
    for (const chunk of contentOf(one)) {
      hash.update(chunk);
      yield chunk;
    }
    if (hash.digest('hex') !== entry.sha256) throw changed(one);
    yield paddingOf(entry.bytes);
  }
  yield endOfTar;
}

/** Two, as one is still being compressed while the other is filled. */
const buffers = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)] as const;

/** The bytes of a file that has not changed since it was seen. */
function* contentOf(one: Seen): Generator<Buffer> {
  const as = reading(one.source, true);
  // It may have become a link, or a pipe that would be waited for.
  const descriptor = saying(as, () => openSync(one.source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  try {
    const check = () => {
      const now = seenAs(one.path, one.source, fstatSync(descriptor, { bigint: true }));
      if (now?.stamp !== one.stamp) throw changed(one);
    };
    check();
    let left = one.bytes;
    for (let turn = 0; left > 0; turn += 1) {
      const buffer = buffers[turn % 2] ?? buffers[0];
      const bytes = saying(as, () => readSync(descriptor, buffer, 0, Math.min(left, chunkBytes), null));
      if (bytes === 0) throw changed(one);
      left -= bytes;
      yield buffer.subarray(0, bytes);
    }
    check();
  } finally {
    closeSync(descriptor);
  }
}

function changed({ source }: Seen): ArchiveError {
  return new ArchiveError('changed', `${source} changed while it was copied`);
}

function stampsOf({ seen, leftOut }: ReturnType<typeof lookAt>): string {
  return JSON.stringify([seen.map(({ path, stamp }) => [path, stamp]), leftOut]);
}

/** What is written, and its hash. */
class NewFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #hash = sha256();
  bytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'wx', 0o600);
  }

  write(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#put(chunk);
  }

  end(manifestFrameBytes: number): void {
    this.write(trailerStart(manifestFrameBytes));
    this.#put(this.#hash.digest());
    saying(writing(this.#path), () => fsyncSync(this.#descriptor));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #put(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; )
      at += saying(writing(this.#path), () => writeSync(this.#descriptor, chunk, at));
    this.bytes += chunk.length;
  }
}

/** From here on it is there, also after a power cut. */
function nameIt(part: string, to: string): void {
  if (existsSync(to)) throw new ArchiveError('unwritable', `${to} is there already`);
  renameSync(part, to);
  syncFolder(dirname(to));
}

export function syncFolder(path: string): void {
  const descriptor = openSync(path, O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
