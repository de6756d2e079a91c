import { readdir, readFile, readlink } from 'node:fs/promises';
import { errorCode } from '@steward/service-kit/process/errors';
import { contentHashesName } from '../changes/content-hashes.ts';
import { liesInFolders, lookAt, RealTree } from '../disk/real-tree.ts';
import type { InstalledFile, InstalledRecord } from '../kept/installed.ts';
import { folded } from '../names/file-name.ts';
import type { Places } from '../names/places.ts';
import { ChunkSearch } from './chunk-search.ts';
import { contentHashesAsPublished } from './content-hashes-work.ts';
import { installedFile, intactFile } from './file-check.ts';
import type { FileWork, Plan } from './plan.ts';
import type { WantedEntry, WantedFile, WantedTree } from './wanted-tree.ts';

export interface PlanParts {
  readonly places: Places;
  readonly installed: InstalledRecord;
  readonly tree: WantedTree;
  /** What lies in these folders is not part of this download and stays as it is. */
  readonly untouchedFolders: readonly string[];
  readonly verify: boolean;
  /** Nothing that the tree has is good enough. */
  readonly again: boolean;
  readonly signal: AbortSignal;
  /** Told of every file that has been looked at. */
  readonly checked: (file: WantedFile) => void;
}

/** Compares what shall be with what is. Changes nothing on the disk. */
export async function makePlan(parts: PlanParts): Promise<Plan> {
  const { places, installed, tree, untouchedFolders } = parts;
  const names = await planNames(places, installed, tree, untouchedFolders);
  const kept = Object.entries(installed.files).filter(([name]) => names.isUntouched(name));
  const { there, work } = await planFiles(parts, names);
  return {
    stripped: tree.stripped,
    there: new Map([...kept, ...there]),
    work,
    ...names,
  };
}

async function planFiles(parts: PlanParts, names: NamesPlan): Promise<Pick<Plan, 'there' | 'work'>> {
  const there = new Map<string, InstalledFile>();
  const work: FileWork[] = [];
  const gather = await gathering(parts);
  // A volume that knows no case finds a file under its new name while it has the old one; and it goes with that.
  const leaving = new Set(names.leaving.map(folded));
  const findIntact = async (file: WantedFile): Promise<InstalledFile | undefined> => {
    if (file.name === contentHashesName) return intactList(file, await gather(file), parts, names);
    return parts.again ? undefined : intactFile(file, parts);
  };
  for (const file of parts.tree.entries.values()) {
    if (file.kind !== 'file') continue;
    parts.signal.throwIfAborted();
    const intact = leaving.has(folded(file.name)) ? undefined : await findIntact(file);
    if (intact === undefined) work.push(await gather(file));
    else there.set(file.name, intact);
    parts.checked(file);
  }
  return { there, work };
}

/** Where the bytes of a file are, or will have to come from. */
async function gathering({ places, installed, signal, again }: PlanParts) {
  const search = new ChunkSearch(places, installed, signal);
  const begun = new Set(await namesIn(places.stage));
  // What another run gathered is not new, unless that run was to fetch everything anew as well.
  const mayGoOn = !again || begun.has(places.anewName);
  return async (file: WantedFile): Promise<FileWork> => {
    const isList = file.name === contentHashesName;
    const part = isList ? places.original(file.contentKey) : places.staged(file.stageKey);
    const isBegun = mayGoOn && (isList || begun.has(file.stageKey));
    const staged = isBegun ? await search.staged(part, file) : new Set<never>();
    const others = file.chunks.filter((chunk) => !staged.has(chunk));
    const local = again ? [] : await search.inTree(file, others);
    const found = new Set(local.map(({ chunk }) => chunk));
    return { file, part, staged, local, missing: others.filter((chunk) => !found.has(chunk)) };
  };
}

/**
 * ContentHashes.json depends on what else is in the tree, so what it should be is made from the original each time, and
 * compared.
 */
async function intactList(
  file: WantedFile,
  { part, staged }: FileWork,
  { places }: PlanParts,
  names: NamesPlan,
): Promise<InstalledFile | undefined> {
  const path = places.inTree(file.name);
  const found = await lookAt(path);
  if (found?.isFile() !== true || staged.size < file.chunks.length || file.chunks.length === 0)
    return undefined;
  const { text, changed } = await contentHashesAsPublished(part, places, names);
  if ((await readFile(path, 'utf8')) !== text) return undefined;
  return { ...installedFile(file, found), ...(changed === undefined ? {} : { changed }) };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

type NamesPlan = Omit<Plan, 'stripped' | 'there' | 'work'>;

/** What comes and goes by name, and whether anything is in the way of it. */
async function planNames(
  places: Places,
  installed: InstalledRecord,
  { entries }: WantedTree,
  untouchedFolders: readonly string[],
): Promise<NamesPlan> {
  const isUntouched = (name: string): boolean =>
    untouchedFolders.some((folder) => name === folder || name.startsWith(`${folder}/`));
  const isDirectory = (name: string): boolean => entries.get(name)?.kind === 'directory';
  const published = [...Object.keys(installed.files), ...Object.keys(installed.links)];
  const stays = (name: string): boolean => isUntouched(name) || isDirectory(name);
  const leaving = await reachable(
    places,
    published.filter((name) => !isUntouched(name) && (!entries.has(name) || isDirectory(name))),
  );
  const leavingDirectories = await reachable(
    places,
    // What lies deeper has to go first.
    installed.directories.filter((name) => !stays(name)).sort((one, other) => other.length - one.length),
  );

  const real = new RealTree(places, { names: new Set(leaving), directories: new Set(leavingDirectories) });
  // Where a volume knows no case, what seems to be there may be what is to leave under its old name.
  const gone = new Set([...leaving, ...leavingDirectories].map(folded));
  const missing: WantedEntry[] = [];
  for (const entry of entries.values()) {
    await real.checkPlace(entry.name, entry.kind);
    if (entry.kind !== 'file' && (await isMissing(places, entry, gone))) missing.push(entry);
  }
  const missingNames = (kind: WantedEntry['kind']): readonly string[] =>
    missing.filter((entry) => entry.kind === kind).map(({ name }) => name);
  const missingDirectories = missingNames('directory');
  const staying = installed.directories.filter(stays);
  return {
    entries,
    isUntouched,
    missingDirectories,
    missingLinks: missingNames('link'),
    leaving,
    leavingDirectories,
    ownDirectories: [...new Set([...staying, ...missingDirectories])],
  };
}

/** Those that still lie where they were published, and not behind a link that the operator has put in a folder's place since. */
async function reachable(places: Places, names: readonly string[]): Promise<readonly string[]> {
  const there: string[] = [];
  for (const name of names) if (await liesInFolders(places, name)) there.push(name);
  return there;
}

async function isMissing(places: Places, entry: WantedEntry, leaving: ReadonlySet<string>): Promise<boolean> {
  const path = places.inTree(entry.name);
  const found = await lookAt(path);
  if (found === undefined || leaving.has(folded(entry.name))) return true;
  return entry.kind === 'link' && !(found.isSymbolicLink() && (await readlink(path)) === entry.target);
}
