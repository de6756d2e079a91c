import { readlink } from 'node:fs/promises';
import type { InstalledRecord } from '../tree/installed.ts';
import type { Places } from '../tree/places.ts';
import { lookAt, RealTree } from '../tree/real-tree.ts';
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
  const leaving = published.filter((name) => !isUntouched(name) && (!entries.has(name) || isDirectory(name)));
  const leavingDirectories = installed.directories
    .filter((name) => !isUntouched(name) && !isDirectory(name))
    // What lies deeper has to go first.
    .sort((one, other) => other.length - one.length);

  const gone = new Set(leaving);
  const real = new RealTree(places, { names: gone, directories: new Set(leavingDirectories) });
  const missing: WantedEntry[] = [];
  for (const entry of entries.values()) {
    await real.checkPlace(entry.name, entry.kind);
    if (entry.kind !== 'file' && (await isMissing(places, entry, gone))) missing.push(entry);
  }
  const missingNames = (kind: WantedEntry['kind']): readonly string[] =>
    missing.filter((entry) => entry.kind === kind).map(({ name }) => name);
  const missingDirectories = missingNames('directory');
  const leavingSet = new Set(leavingDirectories);
  const staying = installed.directories.filter((name) => !leavingSet.has(name));
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

async function isMissing(places: Places, entry: WantedEntry, leaving: ReadonlySet<string>): Promise<boolean> {
  const path = places.inTree(entry.name);
  const found = await lookAt(path);
  if (found === undefined || leaving.has(entry.name)) return true;
  return entry.kind === 'link' && !(found.isSymbolicLink() && (await readlink(path)) === entry.target);
}
