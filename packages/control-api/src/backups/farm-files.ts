import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { isLink } from '@steward/service-kit/files/read-regular';
import { codeInBrackets, errorCode } from '@steward/service-kit/process/errors';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
import { farmId } from '@steward/shared/bridge/hello';
import { Problem } from '@steward/shared/problems/problem';
import { volumesOwn } from './archive/archive-format.ts';
import type { Source } from './archive/archivist.ts';
import { findSaves, readSave, SaveError } from './saves.ts';

type Farm = BackupFacts['farm'];
export type Missing = NonNullable<BackupFacts['missing']>;

export interface FarmFilesParts {
  readonly savesDirectory: string;
  /** Its path without links; throws the Problem where that is not the one that it had. */
  readonly savesRoot: () => Promise<string>;
  /** Of each farm, who owns which farmhand. */
  readonly ownersDirectory: string;
  readonly bansPath: string;
  /** Undefined where the game is another server's: it keeps settings and owners itself. */
  readonly settingsPath: string | undefined;
}

/** Everything of the farm that lies in files, and is copied as it lies there. */
export class FarmFiles {
  readonly #parts: FarmFilesParts;

  constructor(parts: FarmFilesParts) {
    this.#parts = parts;
  }

  /** What is there to be copied; without a save there is no farm. On the way back from a restore anything counts, as half a save does. */
  async sources({ alsoOfNoSave = false } = {}): Promise<readonly Source[]> {
    const { savesDirectory, savesRoot, ownersDirectory, bansPath, settingsPath } = this.#parts;
    const found = await this.#folders();
    if (found.length === 0 && !(alsoOfNoSave && (await hasAnything(savesDirectory))))
      throw noSave(savesDirectory);
    // Before anybody owns anything the backup says just that: restored, nobody owns anything again.
    if (settingsPath !== undefined) await makeDirectory(ownersDirectory).catch(() => {});
    const others: Source[] = [
      { into: 'owners', path: ownersDirectory },
      { into: 'bans/bans.json', path: bansPath },
      ...(settingsPath === undefined ? [] : [{ into: 'settings/server-settings.json', path: settingsPath }]),
    ];
    const there = await Promise.all(
      others.map(async (source) => ((await isThere(source.path)) ? [source] : [])),
    );
    return [{ into: 'saves', path: await savesRoot(), isResolved: true }, ...there.flat()];
  }

  /** What links stand for whose files are away, on a volume that is not mounted: the backup says that it lacks it. */
  async missing(): Promise<Missing> {
    const { bansPath, settingsPath } = this.#parts;
    const linked = { bans: bansPath, ...(settingsPath === undefined ? {} : { settings: settingsPath }) };
    const lost = Object.entries(linked).map(async ([part, path]) =>
      (await isThere(path)) || !(await isLink(path))
        ? []
        : [{ part: part as keyof typeof linked, reason: 'the file that it links to is missing' }],
    );
    return (await Promise.all(lost)).flat();
  }

  /** The farm that the game has, or else the one that was saved last. A save that nobody can read is copied as it is. */
  async farm(current: Pick<Farm, 'farmId' | 'saveGeneration'> | undefined): Promise<Farm> {
    const folders = await this.#folders();
    if (folders.length === 0) return current ?? {};
    const ages = await Promise.all(folders.map(newestIn));
    const newest = folders[ages.indexOf(Math.max(...ages))] ?? '';
    const withoutId = folders.filter((each) => !farmId.safeParse(basename(each)).success);
    const folder =
      folders.find((each) => basename(each) === current?.farmId) ?? sameNumber(current?.farmId, withoutId);
    // Of a farm that the game has not saved yet, another one's save says nothing.
    if (folder === undefined && current !== undefined) return current;
    const save = folder ?? newest;
    const facts = await readSave(save).catch((error: unknown) => {
      if (error instanceof SaveError) return undefined;
      throw error;
    });
    if (current !== undefined || !withoutId.includes(save)) return { ...facts?.farm, ...current };
    // The folder of its owners is called by the id that its game gave it.
    const id = sameNumber(basename(save), await readdir(this.#parts.ownersDirectory).catch(() => []));
    return { ...facts?.farm, ...(id === undefined ? {} : { farmId: id }) };
  }

  async #folders(): Promise<readonly string[]> {
    const { savesDirectory } = this.#parts;
    return findSaves(savesDirectory).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw new Problem(
        'backup-failed',
        `GAME_SAVES_DIR cannot be read${codeInBrackets(error)}: let the service read ${savesDirectory} and the saves in it`,
      );
    });
  }
}

/**
 * The only name with the number of this one at its end. A farm keeps its number for life, in the name of its save and in its id, which are
 * the same unless the name has letters that no id may have, such as Größe_222.
 */
function sameNumber(name: string | undefined, names: readonly string[]): string | undefined {
  const number = /_[0-9]+$/.exec(name ?? '')?.[0];
  const [one, ...others] = names.filter((each) => number !== undefined && each.endsWith(number));
  return others.length === 0 ? one : undefined;
}

function noSave(savesDirectory: string): Problem {
  return new Problem(
    'no-save',
    `There is no save in ${savesDirectory}: the game saves when a day ends. If it has saved, set GAME_SAVES_DIR to the directory that has a folder for each save`,
  );
}

async function hasAnything(folder: string): Promise<boolean> {
  return readdir(folder).then(
    (names) => names.some((name) => name !== volumesOwn),
    () => false,
  );
}

/** How many bytes there are to be copied, as far as they can be seen. Links are not followed, as they are not copied; but a source may be one. */
export async function bytesOf(sources: readonly Source[]): Promise<number> {
  let bytes = 0;
  for (const { path } of sources) bytes += await bytesAt(await realpath(path).catch(() => path));
  return bytes;
}

async function bytesAt(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.isFile() ? found.size : 0;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await bytesAt(join(path, name));
  return bytes;
}

async function newestIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    ['', ...names].map((name) =>
      stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
