import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncDirectory } from '@steward/service-kit/files/flush-directory';
import { errorCode } from '@steward/service-kit/process/errors';
import { ArchiveError, type UnpackTo } from './archivist.ts';
import { passRefused, saying, writing } from './disk-errors.ts';
import type { ArchiveEntry, Manifest } from './manifest.ts';
import { damaged, readArchive, type Taker } from './read.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_DIRECTORY } = constants;

/** A file that comes from elsewhere starts nothing as somebody else. */
const plainMode = 0o777;

/** Writes what stands below the names in `to`, all of it on the disk when it is done, and holds everything else against the manifest, too. */
export async function unpack(path: string, to: UnpackTo): Promise<Manifest> {
  const folders: { readonly path: string; readonly entry: ArchiveEntry }[] = [];
  const taker: Taker = {
    begin: ({ entries }) => {
      for (const target of Object.values(to)) checkTarget(target);
      checkRoom(entries, to);
    },
    folder: (entry) => {
      const target = targetOf(entry.path, to);
      if (target === undefined) return;
      if (!Object.hasOwn(to, entry.path))
        saying(writingNew(target), () => mkdirSync(target, { mode: 0o700 }));
      folders.push({ path: target, entry });
    },
    file: (entry) => {
      const target = targetOf(entry.path, to);
      return target === undefined ? undefined : newFile(target, entry);
    },
  };
  const manifest = await readArchive(path, taker);
  // Last, and from the innermost on: what is put into a folder makes it younger, and one may be read-only.
  for (const folder of folders.toReversed()) finish(openSync(folder.path, O_RDONLY | O_DIRECTORY), folder);
  return manifest;
}

/** Where an entry is put; undefined for what nobody asked for. */
function targetOf(path: string, to: UnpackTo): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const name = path.slice(0, end);
    const target = Object.hasOwn(to, name) ? to[name] : undefined;
    if (target !== undefined) return join(target, path.slice(end));
  }
  return undefined;
}

/** Folders are there and empty, files are not there: so nothing is written over, and no link is followed. */
function checkTarget(target: string): void {
  const found = saying(writing(target), () => lstatSync(target, { throwIfNoEntry: false }));
  if (found === undefined) return;
  if (!found.isDirectory() || saying(writing(target), () => readdirSync(target)).length > 0)
    throw new ArchiveError('unwritable', `${target} already exists`);
}

function checkRoom(entries: readonly ArchiveEntry[], to: UnpackTo): void {
  for (const [name, target] of Object.entries(to)) {
    const below = entries.filter(({ path }) => path === name || path.startsWith(`${name}/`));
    const bytes = below.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes : 0), 0);
    const { bavail, bsize } = saying(writing(target), () => statfsSync(dirname(target)));
    if (bytes > bavail * bsize)
      throw new ArchiveError('no-room', `${target} needs ${bytes} bytes; the disk has ${bavail * bsize}`);
  }
}

/** What is there already was made of another entry, whose name is the same to this file system. */
function writingNew(path: string): (error: unknown) => unknown {
  return (error) =>
    errorCode(error) === 'EEXIST'
      ? damaged(`two of its names are the same on this disk: ${path}`, error)
      : writing(path)(error);
}

function newFile(path: string, entry: ArchiveEntry) {
  const as = writingNew(path);
  const descriptor = saying(as, () =>
    openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, entry.mode & plainMode),
  );
  return {
    take: (chunk: Buffer) => {
      for (let at = 0; at < chunk.length; ) at += saying(as, () => writeSync(descriptor, chunk, at));
    },
    end: () => finish(descriptor, { path, entry }),
  };
}

interface Written {
  readonly path: string;
  readonly entry: ArchiveEntry;
}

function finish(descriptor: number, { path, entry }: Written): void {
  const seconds = (Number(entry.modifiedAt) + 0.5) / 1_000_000;
  try {
    saying(writing(path), () => {
      asTaken(() => fchmodSync(descriptor, entry.mode & plainMode));
      asTaken(() => futimesSync(descriptor, seconds, seconds));
      if (entry.kind === 'folder') syncDirectory(descriptor);
      else fsyncSync(descriptor);
    });
  } finally {
    closeSync(descriptor);
  }
}

function asTaken(change: () => void): void {
  try {
    change();
  } catch (error) {
    passRefused(error);
  }
}
