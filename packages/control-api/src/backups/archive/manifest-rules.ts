import { readJson } from '@steward/service-kit/json';
import { z } from 'zod';
import { archiveFormat, archiveLimits, nameProblem } from './archive-format.ts';
import { ArchiveError } from './archivist.ts';
import { type ArchiveEntry, type Manifest, manifest } from './manifest.ts';

/** What is wrong with the entries of a manifest; undefined where they can be written anywhere without leaving it. */
function entriesProblem(entries: readonly ArchiveEntry[]): string | undefined {
  if (entries.length > archiveLimits.entries) return `more than ${archiveLimits.entries} entries`;
  const seen = new Map<string, ArchiveEntry['kind']>();
  let total = 0;
  for (const entry of entries) {
    const problem = pathProblem(entry.path) ?? placeProblem(entry.path, seen);
    if (problem !== undefined) return `${JSON.stringify(entry.path)} ${problem}`;
    if (!Number.isSafeInteger(Number(entry.modifiedAt)))
      return `${JSON.stringify(entry.path)} has no valid time`;
    seen.set(entry.path, entry.kind);
    total += entry.kind === 'file' ? entry.bytes : 0;
  }
  return total > archiveLimits.totalBytes
    ? `more than ${archiveLimits.totalBytes} bytes of files`
    : undefined;
}

function pathProblem(path: string): string | undefined {
  const names = path.split('/');
  const problem = names.map(nameProblem).find((each) => each !== undefined);
  if (problem !== undefined) return problem;
  // The top folders are ours to name: so no drive has such a name.
  return /^[a-z]+$/.test(names[0] ?? '') ? undefined : 'is not in one of the known top folders';
}

/** Folders come before what is in them, and only what was asked for has a folder that is not among the entries. */
function placeProblem(path: string, seen: ReadonlyMap<string, ArchiveEntry['kind']>): string | undefined {
  if (seen.has(path)) return 'is in it twice';
  const parents = [...path.matchAll(/\//g)].map(({ index }) => seen.get(path.slice(0, index)));
  if (parents.includes('file')) return 'is below a file';
  if (parents.at(-1) === undefined && parents.includes('folder')) return 'is in a folder that does not exist';
  return undefined;
}

const ours = z.object({ steward: z.literal('backup'), format: z.int().min(1) });

/** What a manifest.json says; throws an ArchiveError for one that is none, or has what no backup has. */
export function manifestFrom(json: Buffer): Manifest {
  const value = readJson(json.toString());
  const about = ours.safeParse(value);
  if (!about.success) throw new ArchiveError('damaged', 'it is not a backup from Steward');
  if (about.data.format > archiveFormat)
    throw new ArchiveError(
      'newer',
      `a newer version of Steward made it (format ${about.data.format}; this one reads up to ${archiveFormat})`,
    );
  const read = manifest.safeParse(value);
  if (!read.success) throw new ArchiveError('damaged', `its manifest has a wrong ${wrongPlace(read.error)}`);
  const problem = entriesProblem(read.data.entries);
  if (problem !== undefined) throw new ArchiveError('damaged', `its manifest: ${problem}`);
  return read.data;
}

function wrongPlace({ issues }: z.ZodError): string {
  return (issues[0]?.path ?? []).map(String).join('.').slice(0, 100);
}
