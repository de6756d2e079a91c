import { readlink } from 'node:fs/promises';
import { liesInFolders, lookAt, RealTree } from '../disk/real-tree.ts';
import type { InstalledRecord } from '../kept/installed.ts';
import { folded } from '../names/file-name.ts';
import type { Places } from '../names/places.ts';
import type { Plan } from './plan.ts';
import type { WantedEntry, WantedTree } from './wanted-tree.ts';

export type NamesPlan = Omit<Plan, 'stripped' | 'there' | 'work'>;

/** What comes and goes by name, and whether anything is in the way of it. */
export async function planNames(
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
