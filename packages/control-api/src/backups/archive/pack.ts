import { closeSync, constants, existsSync, fstatSync, openSync, readSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { flushDirectorySync } from '@steward/service-kit/files/flush-directory';
import { archiveFormat, archiveLimits } from './archive-format.ts';
import { ArchiveError, type PackJob } from './archivist.ts';
import { reading, saying, writing } from './disk-errors.ts';
import { compression, sha256 } from './file-frames.ts';
import { lookAt, type Seen, seenAs } from './look.ts';
import type { ArchiveEntry, Manifest } from './manifest.ts';
import { NewFile } from './new-file.ts';
import { readArchive } from './read.ts';
import { endOfTar, headOf, manifestHead, paddingOf } from './tar-entry.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Makes an archive at `part`, reads it back while it grows, and gives it its name. Every source is read twice, and looked at before,
 * between and after: where any of that differs there is no archive, as half of it would be of one save and half of the next.
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
  const frame = zstdCompressSync(manifestPart(manifest), compression);
  const file = saying(writing(part), () => new NewFile(part));
  try {
    file.begin(frame);
    const [filled, readBack] = await Promise.allSettled([
      file.fill(bodyOf(seen, manifest)),
      readArchive(part, undefined, { manifest, extent: file }),
    ]);
    if (filled.status === 'rejected') throw filled.reason;
    const after = saying(reading('what is to be kept', true), () => lookAt(sources));
    if (stampsOf(after) !== stampsOf({ seen, leftOut })) throw changed('what is to be kept');
    if (readBack.status === 'rejected') {
      checkSame(seen, manifest);
      throw readBack.reason;
    }
  } finally {
    file.close();
  }
  saying(writing(to), () => nameIt(part, to));
  return { manifest, bytes: file.bytes };
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

/** Nothing of it is hashed again: what is not as it was the first time is found when it is read back. */
function* bodyOf(seen: readonly Seen[], { entries }: Manifest): Generator<Buffer> {
  for (const [index, entry] of entries.entries()) {
    yield headOf(entry);
    const one = seen[index];
    if (entry.kind === 'folder' || one === undefined) continue;
    yield* contentOf(one);
    yield paddingOf(entry.bytes);
  }
  yield endOfTar;
}

/** What its times do not tell: of files that are mapped into memory, they do not move with each change. */
function checkSame(seen: readonly Seen[], { entries }: Manifest): void {
  for (const [index, one] of seen.entries())
    if (JSON.stringify(entryOf(one)) !== JSON.stringify(entries[index])) throw changed(one.source);
}

/** What of a source is read at once: much, as another thread compresses it, and to hand it over takes time. */
const pieceBytes = 1_024 * 1_024;

/** Two, as one is still being compressed while the other is filled. */
const buffers = [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)] as const;

/** The bytes of a file that has not changed since it was seen. */
function* contentOf(one: Seen): Generator<Buffer> {
  const as = reading(one.source, true);
  // It may have become a link, or a pipe that would be waited for.
  const descriptor = saying(as, () => openSync(one.source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  try {
    const check = () => {
      const now = seenAs(one.path, one.source, fstatSync(descriptor, { bigint: true }));
      if (now?.stamp !== one.stamp) throw changed(one.source);
    };
    check();
    let left = one.bytes;
    for (let turn = 0; left > 0; turn += 1) {
      const buffer = buffers[turn % 2] ?? buffers[0];
      const bytes = saying(as, () => readSync(descriptor, buffer, 0, Math.min(left, pieceBytes), null));
      if (bytes === 0) throw changed(one.source);
      left -= bytes;
      yield buffer.subarray(0, bytes);
    }
    check();
  } finally {
    closeSync(descriptor);
  }
}

function changed(what: string): ArchiveError {
  return new ArchiveError('changed', `${what} changed while it was copied`);
}

function stampsOf({ seen, leftOut }: ReturnType<typeof lookAt>): string {
  return JSON.stringify([seen.map(({ path, stamp }) => [path, stamp]), leftOut]);
}

/** From here on it is there, also after a power cut. */
function nameIt(part: string, to: string): void {
  if (existsSync(to)) throw new ArchiveError('unwritable', `${to} already exists`);
  renameSync(part, to);
  flushDirectorySync(dirname(to));
}
