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
export function chunksToFetch(plan: Plan): ReadonlyMap<string, ManifestChunk> {
  return new Map(plan.work.flatMap(({ missing }) => missing.map((chunk) => [chunk.id, chunk])));
}

/** What the plan takes of the disk before anything old is given back. */
export function bytesNeeded(plan: Plan): number {
  return sum(plan.work.map(({ file, staged }) => file.bytes - sum([...staged].map(({ bytes }) => bytes))));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
