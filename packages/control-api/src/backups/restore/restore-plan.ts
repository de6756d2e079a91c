import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { errorCode } from '@steward/service-kit/process/errors';
import { type BackupPart, usualParts } from '@steward/shared/backups';
import { Problem } from '@steward/shared/problems/problem';
import { type MendableTrouble, troubleText } from '@steward/shared/problems/trouble';
import { volumesOwn } from '../archive/archive-format.ts';
import type { UnpackTo } from '../archive/archivist.ts';
import type { ArchiveEntry, Manifest } from '../archive/manifest.ts';
import { freeBytes } from '../backup-directory.ts';
import { makingLimits } from '../backup-making.ts';
import { saveName } from '../saves.ts';
import {
  clearEmptyStage,
  clearStages,
  comingIn,
  makeStages,
  mountAmong,
  type SwapPlace,
  stageName,
} from './swap.ts';

/** Where each part of a backup belongs: two folders, and files. */
export interface RestoreTargets {
  readonly saves: string;
  /** As FarmFiles takes it. */
  readonly savesRoot: () => Promise<string>;
  readonly owners: string;
  readonly settings: string;
  readonly bans: string;
  /** There where everything is restored, into a STATE_DIR that is empty. */
  readonly database?: string;
}

/** What is put where, before anything of it is done. */
export interface RestorePlan {
  readonly places: readonly SwapPlace[];
  readonly to: UnpackTo;
  /** Where what comes is staged, and how much that is. */
  readonly bytes: ReadonlyMap<string, number>;
}

const databaseName = 'database/steward.db';
const settingsName = 'settings/server-settings.json';
const bansName = 'bans/bans.json';

export async function planRestore(
  manifest: Manifest,
  what: readonly BackupPart[] | undefined,
  targets: RestoreTargets,
): Promise<RestorePlan> {
  const lacking = (what ?? []).filter((part) => !manifest.parts.includes(part));
  if (lacking.length > 0) throw unfit(manifest, `has no ${lacking.join(' and no ')}`);
  const parts = (what ?? usualParts).filter((part) => manifest.parts.includes(part));
  const places = new Map<string, { coming: string[]; leaving: string[] }>();
  const bytes = new Map<string, number>();
  const to: Record<string, string> = {};
  const saves = namesBelow(manifest.entries, 'saves');
  const put = async (
    folder: string,
    prefix: string,
    coming: readonly string[],
    leaving: readonly string[],
    rootOf = () => realpath(folder),
  ) => {
    await usable(folder);
    const root = await rootOf();
    const place = places.get(root) ?? { coming: [], leaving: [] };
    place.coming.push(...coming);
    place.leaving.push(...leaving);
    places.set(root, place);
    bytes.set(root, (bytes.get(root) ?? 0) + bytesBelow(manifest.entries, prefix));
    return comingIn(root);
  };
  const putFile = async (path: string, prefix: string) => {
    const target = await fileMeant(path, targets);
    to[prefix] = join(await put(dirname(target), prefix, [basename(target)], []), basename(target));
  };
  if (parts.includes('saves')) to['saves'] = await put(targets.saves, 'saves', saves, [], targets.savesRoot);
  if (parts.includes('owners')) {
    const owned = namesBelow(manifest.entries, 'owners');
    const { farmId } = manifest.farm;
    // Of a farm that nobody owned anything on, that day, nobody owns anything again.
    const farms = farmId === undefined ? [] : [farmId, ...(parts.includes('saves') ? saves : [])];
    const leaving = [...new Set(farms)].filter((name) => !owned.includes(name));
    to['owners'] = await put(targets.owners, 'owners', owned, leaving);
  }
  if (parts.includes('settings')) await putFile(targets.settings, settingsName);
  if (parts.includes('bans')) await putFile(targets.bans, bansName);
  if (targets.database !== undefined) await putFile(targets.database, databaseName);
  return { places: [...places].map(([root, place]) => ({ root, ...place })), to, bytes };
}

const real = (path: string) => realpath(path).catch(() => path);

/** A link to bans that others share, too, gives way to a file of its own, as for every other change; any other link is followed. */
async function fileMeant(path: string, { bans }: Pick<RestoreTargets, 'bans'>): Promise<string> {
  return path === bans ? path : real(path);
}

/** The folders in which a restore replaces anything. */
export async function foldersOf({
  saves,
  owners,
  settings,
  bans,
  database,
}: Omit<RestoreTargets, 'savesRoot'>): Promise<readonly string[]> {
  const files = [settings, bans, ...(database === undefined ? [] : [database])];
  const around = files.map(async (file) => real(dirname(await fileMeant(file, { bans }))));
  const folders = await Promise.all([real(saves), real(owners), ...around]);
  // No folder is set where there are no backups.
  return folders.filter((folder) => folder !== '');
}

/** Refuses what could not be carried out to its end, while nothing has been touched. */
export async function checkRoom({ places, bytes }: RestorePlan): Promise<void> {
  for (const place of places) {
    const { root } = place;
    const [free, needed] = [await freeBytes(root), (bytes.get(root) ?? 0) + makingLimits.spareBytes];
    if (free < needed)
      throw new Problem(
        'no-room',
        `${root} has ${free} bytes free, and the backup needs ${needed} beside the current farm: free some space there, and try again`,
      );
    const mount = await mountAmong(place);
    if (mount !== undefined)
      throw new Problem(
        'backup-unfit',
        `${join(root, mount)} is a separate mount, and a restore replaces it by renaming: mount all of ${root} instead`,
      );
    await tryStage(place);
  }
}

/** Where nothing can be put it is not said only once the game was stopped for it. */
async function tryStage(place: SwapPlace): Promise<void> {
  let stays: MendableTrouble | undefined;
  try {
    stays = await clearEmptyStage(place.root);
    if (stays === undefined) {
      await makeStages([place]);
      await clearStages([place]);
    }
  } catch (error) {
    throw new Problem(
      'backup-failed',
      `${place.root} cannot be written (${errorCode(error) ?? error}), and the backup is restored there: let the service write there. Nothing was changed`,
    );
  }
  if (stays !== undefined) throw new Problem('backup-failed', `${troubleText(stays)}. Nothing was changed`);
}

/** Refuses a backup of a farm that is not here, where another is: into an empty folder any may come. */
export async function checkFarm(
  manifest: Manifest,
  savesFolder: string,
  farmId: string | undefined,
): Promise<void> {
  const known = manifest.farm.farmId;
  if (known !== undefined && known === farmId) return;
  const names = new Set(saveFoldersOf(manifest.entries));
  const here = await saveFoldersIn(savesFolder);
  if (here.length === 0 || here.some((name) => names.has(name))) return;
  const its = [...names].join(', ') || known || 'another farm';
  throw unfit(
    manifest,
    `is from ${its}, and this server has ${here.join(', ')}: to restore another farm, use an empty GAME_SAVES_DIR, or move the saves in it elsewhere`,
  );
}

export function unfit({ id }: Pick<Manifest, 'id'>, why: string): Problem {
  return new Problem('backup-unfit', `The backup ${id} ${why}. Nothing was changed`);
}

async function usable(folder: string): Promise<void> {
  try {
    await makeDirectory(folder);
  } catch (error) {
    throw new Problem(
      'backup-failed',
      `${folder} does not exist and cannot be created (${errorCode(error) ?? error}): let the service write there. Nothing was changed`,
    );
  }
}

/** Half a save is one, too; what a network drive, or somebody, keeps beside the saves is of no farm. */
function isSaveFolder(name: string): boolean {
  return saveName.test(name) && !name.startsWith('.');
}

async function saveFoldersIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return found.filter((each) => each.isDirectory() && isSaveFolder(each.name)).map(({ name }) => name);
}

function saveFoldersOf(entries: readonly ArchiveEntry[]): string[] {
  return entries
    .filter(({ kind, path }) => kind === 'folder' && /^saves\/[^/]+$/.test(path))
    .map(({ path }) => basename(path))
    .filter(isSaveFolder);
}

/** What lies directly below one of the top folders of the archive. */
function namesBelow(entries: readonly ArchiveEntry[], top: string): string[] {
  const names = entries
    .filter(({ path }) => path.startsWith(`${top}/`))
    .map(({ path }) => path.split('/')[1] ?? '');
  // What a restore that could not clear its stage left in there is nobody's, nor is what a backup as root once took along.
  return [...new Set(names)].filter((name) => !['', stageName, volumesOwn].includes(name));
}

function bytesBelow(entries: readonly ArchiveEntry[], prefix: string): number {
  return entries
    .filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`))
    .reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes : 0), 0);
}
