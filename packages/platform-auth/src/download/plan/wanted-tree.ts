import type { FileFilter, FilterRow } from '../filter/filter-table.ts';
import type { DepotManifest, ManifestChunk, ManifestFile } from '../manifest/manifest.ts';
import { checkContent, contentKey, stageKey } from '../names/file-content.ts';
import { checkLink, checkName, folded, parentsOf } from '../names/file-name.ts';
import { hostileManifest } from '../problems/problem.ts';

export interface WantedFile {
  readonly kind: 'file';
  /** Below GAME_DIR. */
  readonly name: string;
  readonly depotId: number;
  readonly bytes: number;
  readonly executable: boolean;
  readonly chunks: readonly ManifestChunk[];
  readonly sha1?: string;
  /** Files with equal keys have equal bytes. */
  readonly contentKey: string;
  /** Under which it is gathered: no two files share one, nor do two versions of a file. */
  readonly stageKey: string;
}

export interface WantedDirectory {
  readonly kind: 'directory';
  readonly name: string;
}

export interface WantedLink {
  readonly kind: 'link';
  readonly name: string;
  readonly target: string;
}

export type WantedEntry = WantedFile | WantedDirectory | WantedLink;

export interface StrippedFile {
  readonly name: string;
  readonly bytes: number;
  readonly row: FilterRow;
}

/** What shall be in a folder, by name; parents are among the directories. */
export interface WantedTree {
  readonly entries: ReadonlyMap<string, WantedEntry>;
  readonly stripped: readonly StrippedFile[];
}

/**
 * Joins the depots of one app to the tree that they are meant to be, below `folder` ('' is GAME_DIR itself). Everything in
 * them is checked first, also what the filter leaves out: one bad entry, and the whole list is not to be trusted.
 */
export function wantedTree(
  manifests: readonly DepotManifest[],
  folder: string,
  filter: FileFilter,
): WantedTree {
  for (const manifest of manifests) checkEach(manifest);
  // Where two depots hold the same name, the later one counts, as with the platform's own client.
  const files = new Map<string, { file: ManifestFile; depotId: number }>();
  for (const { depotId, files: listed } of manifests)
    for (const file of listed) files.set(file.name, { file, depotId });
  checkTogether([...files.values()].map(({ file }) => file));

  const entries = new Map<string, WantedEntry>();
  const stripped: StrippedFile[] = [];
  for (const { file, depotId } of files.values()) {
    const name = folder === '' ? file.name : `${folder}/${file.name}`;
    const row = file.kind === 'directory' ? undefined : filter(file.name);
    if (row !== undefined) {
      stripped.push({ name, bytes: file.bytes, row });
      continue;
    }
    for (const parent of parentsOf(name)) entries.set(parent, { kind: 'directory', name: parent });
    entries.set(name, wantedEntry(file, name, depotId));
  }
  return { entries, stripped };
}

function wantedEntry(file: ManifestFile, name: string, depotId: number): WantedEntry {
  if (file.kind === 'directory') return { kind: 'directory', name };
  if (file.kind === 'link') return { kind: 'link', name, target: file.linkTarget ?? '' };
  const { bytes, executable, chunks, sha1 } = file;
  const hash = sha1 === undefined ? {} : { sha1 };
  const key = contentKey(file);
  const content = { bytes, chunks, ...hash, contentKey: key };
  return { kind: 'file', name, depotId, executable, ...content, stageKey: stageKey(name, key) };
}

function checkEach({ files }: DepotManifest): void {
  const seen = new Set<string>();
  for (const file of files) {
    checkName(file.name);
    checkContent(file);
    if (seen.has(file.name)) throw hostileManifest(file.name, 'is in it twice');
    seen.add(file.name);
  }
}

/** Entries that are harmless one by one and not together. */
function checkTogether(files: readonly ManifestFile[]): void {
  const byFolded = new Map<string, ManifestFile>();
  for (const file of files) {
    const key = folded(file.name);
    if (byFolded.has(key) && !bothDirectories(byFolded.get(key), file))
      throw hostileManifest(file.name, 'differs from another name only in case or form');
    byFolded.set(key, file);
  }
  for (const { name } of files)
    for (const parent of parentsOf(name)) {
      const above = byFolded.get(folded(parent));
      if (above !== undefined && above.kind !== 'directory')
        throw hostileManifest(name, `is inside a ${above.kind}`);
    }
  const links = new Map(
    files.map(({ kind, name, linkTarget }) => [name, kind === 'link' ? linkTarget : undefined]),
  );
  for (const { kind, name, linkTarget = '' } of files)
    if (kind === 'link') checkLink(name, linkTarget, (each) => links.get(each));
}

function bothDirectories(one: ManifestFile | undefined, other: ManifestFile): boolean {
  return one?.kind === 'directory' && other.kind === 'directory';
}
