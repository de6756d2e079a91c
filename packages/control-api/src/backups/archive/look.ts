import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { archiveLimits, nameProblem, volumesOwn } from './archive-format.ts';
import { ArchiveError, type Source } from './archivist.ts';

/** Something as it lay there when it was looked at. */
export interface Seen {
  readonly kind: 'folder' | 'file';
  /** In the archive. */
  readonly path: string;
  readonly source: string;
  readonly mode: number;
  readonly bytes: number;
  /** In microseconds. */
  readonly modifiedAt: bigint;
  /** All that a change of it would change, as far as the file system says. */
  readonly stamp: string;
}

export interface Look {
  readonly seen: readonly Seen[];
  readonly leftOut: readonly string[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** All that lies at the sources, each folder before what is in it; what is neither file nor folder, or has no name that an archive can have, is left out. */
export function lookAt(sources: readonly Source[]): Look {
  const seen: Seen[] = [];
  const leftOut: string[] = [];
  const add = (path: string, source: string, stats: BigIntStats): void => {
    const it = seenAs(path, source, stats);
    if (it === undefined) {
      leftOut.push(path);
      return;
    }
    seen.push(it);
    if (seen.length > archiveLimits.entries)
      throw new ArchiveError('too-large', `there are more than ${archiveLimits.entries} files and folders`);
    if (it.kind === 'file') return;
    for (const name of namesIn(source)) {
      const text = textOf(name);
      if (text === volumesOwn && !path.includes('/')) continue;
      const below = `${path}/${text ?? shown(name)}`;
      if (text === undefined || below.length > archiveLimits.pathLength) leftOut.push(below);
      else add(below, `${source}/${text}`, lstatSync(`${source}/${text}`, { bigint: true }));
    }
  };
  // A source itself may be a link, as a folder of the operator's choice may be.
  for (const { into, path, isResolved = false } of sources) {
    const source = realpathSync(path);
    if (isResolved && source !== path) throw new ArchiveError('changed', `${path} leads to ${source} now`);
    add(into, source, statSync(source, { bigint: true }));
  }
  const total = seen.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > archiveLimits.totalBytes)
    throw new ArchiveError('too-large', `the files have more than ${archiveLimits.totalBytes} bytes`);
  return { seen, leftOut };
}

export function seenAs(path: string, source: string, stats: BigIntStats): Seen | undefined {
  const kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : undefined;
  if (kind === undefined) return undefined;
  const { mode, size, mtimeNs, ctimeNs, ino, dev } = stats;
  return {
    kind,
    path,
    source,
    mode: Number(mode & 0o7777n),
    bytes: kind === 'file' ? Number(size) : 0,
    modifiedAt: withinReach(mtimeNs / 1_000n),
    stamp: [kind, mode, kind === 'file' ? size : 0, mtimeNs, ctimeNs, ino, dev].join(' '),
  };
}

/** What is in a folder, as the file system has it, in an order that does not depend on it. */
function namesIn(folder: string): readonly Buffer[] {
  return readdirSync(folder, { encoding: 'buffer' }).sort(Buffer.compare);
}

function textOf(name: Buffer): string | undefined {
  try {
    const text = utf8.decode(name);
    return nameProblem(text) === undefined ? text : undefined;
  } catch {
    return undefined;
  }
}

/** For a person. */
function shown(name: Buffer): string {
  return JSON.stringify(name.toString()).slice(1, -1);
}

const furthest = BigInt(Number.MAX_SAFE_INTEGER);

/** Node sets no time before 1970, and some file systems have times that no other one knows. */
function withinReach(micros: bigint): bigint {
  if (micros > furthest) return furthest;
  return micros < 0n ? 0n : micros;
}
