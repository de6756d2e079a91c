import { filterTable } from '../filter/filter-table.ts';
import type { InstalledFile } from '../kept/installed.ts';
import type { ManifestChunk } from '../manifest/manifest.ts';
import type { StrippedFile, WantedEntry, WantedFile } from './wanted-tree.ts';

/** A chunk that need not be fetched because the tree has its bytes. */
export interface LocalChunk {
  readonly chunk: ManifestChunk;
  readonly path: string;
  readonly offset: number;
}

/** A file that is not in the tree as it should be, and where its bytes will come from. */
export interface FileWork {
  readonly file: WantedFile;
  /** Where the manifest's bytes are gathered. */
  readonly part: string;
  readonly staged: ReadonlySet<ManifestChunk>;
  readonly local: readonly LocalChunk[];
  readonly missing: readonly ManifestChunk[];
}

export interface Plan {
  readonly entries: ReadonlyMap<string, WantedEntry>;
  readonly stripped: readonly StrippedFile[];
  /** Files that are in the tree as they should be. */
  readonly there: ReadonlyMap<string, InstalledFile>;
  readonly work: readonly FileWork[];
  /** Directories and links that are not there yet. */
  readonly missingDirectories: readonly string[];
  readonly missingLinks: readonly string[];
  /** Files and links of an older version. */
  readonly leaving: readonly string[];
  /** Directories of an older version; each goes if it is empty then. */
  readonly leavingDirectories: readonly string[];
  /** Directories that are ours, once the plan is carried out. */
  readonly ownDirectories: readonly string[];
  /** Whether a name lies where this download changes nothing. */
  readonly isUntouched: (name: string) => boolean;
}

export function changesNothing(plan: Plan): boolean {
  return [plan.work, plan.missingDirectories, plan.missingLinks, plan.leaving].every(
    (list) => list.length === 0,
  );
}

/** The chunks to fetch, each once, however many places it goes to. */
function chunksToFetch(plan: Plan): ReadonlyMap<string, ManifestChunk> {
  return new Map(plan.work.flatMap(({ missing }) => missing.map((chunk) => [chunk.id, chunk])));
}

/** What the plan takes of the disk before anything old is given back. */
export function bytesNeeded(plan: Plan): number {
  return sum(plan.work.map(({ file, staged }) => file.bytes - sum([...staged].map(({ bytes }) => bytes))));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export interface StrippedAmount extends Amount {
  readonly what: string;
  readonly reason: string;
}

/** A plan in numbers: all that is known before anything is fetched. */
export interface PlanFigures {
  /** What the tree will consist of. */
  readonly kept: Amount;
  readonly stripped: Amount;
  readonly strippedBy: readonly StrippedAmount[];
  /** Of what is kept: in the tree and as it should be. */
  readonly there: Amount;
  readonly toWrite: Amount;
  /** Of what is to be written: what an interrupted run has fetched, and what the tree has in other files. */
  readonly stagedBytes: number;
  readonly reusedBytes: number;
  readonly toFetch: { readonly chunks: number; readonly bytes: number; readonly storedBytes: number };
  readonly toRemove: number;
}

export function figuresOf(plan: Plan): PlanFigures {
  const kept = [...plan.entries.values()].filter((entry) => entry.kind === 'file');
  const there = kept.filter(({ name }) => plan.there.has(name));
  const fetched = [...chunksToFetch(plan).values()];
  return {
    kept: amount(kept),
    stripped: amount(plan.stripped),
    strippedBy: filterTable.flatMap(({ what, reason }) => {
      const files = plan.stripped.filter(({ row }) => row.what === what);
      return files.length === 0 ? [] : [{ what: what.replaceAll('`', ''), reason, ...amount(files) }];
    }),
    there: amount(there),
    toWrite: amount(plan.work.map(({ file }) => file)),
    stagedBytes: sum(plan.work.flatMap(({ staged }) => [...staged].map(({ bytes }) => bytes))),
    reusedBytes: sum(plan.work.flatMap(({ local }) => local.map(({ chunk }) => chunk.bytes))),
    toFetch: {
      chunks: fetched.length,
      bytes: sum(fetched.map(({ bytes }) => bytes)),
      storedBytes: sum(fetched.map(({ storedBytes }) => storedBytes)),
    },
    toRemove: plan.leaving.length,
  };
}

function amount(files: readonly { readonly bytes: number }[]): Amount {
  return { files: files.length, bytes: sum(files.map(({ bytes }) => bytes)) };
}
