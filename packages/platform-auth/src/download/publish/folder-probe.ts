import { randomUUID } from 'node:crypto';
import { access, constants, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '@steward/service-kit/process/errors';
import { lookAt } from '../disk/real-tree.ts';
import { parentsOf } from '../names/file-name.ts';
import type { Places } from '../names/places.ts';
import { changesNothing, type Plan } from '../plan/plan.ts';
import { DownloadProblem, shown } from '../problems/problem.ts';

const { R_OK, W_OK, X_OK } = constants;

/** The code of the error that publishing from the work folder into another would meet; undefined for none. */
export type FolderProbe = (folder: string, work: string) => Promise<string | undefined>;

export async function probeFolder(folder: string, work: string): Promise<string | undefined> {
  try {
    await access(folder, R_OK | W_OK | X_OK);
    if ((await stat(folder)).dev !== (await stat(work)).dev) return 'EXDEV';
    // Two mounts of one device look the same. The system compares them before it misses the file: this changes nothing.
    const none = randomUUID();
    await rename(join(work, none), join(folder, none));
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT') return code ?? 'unknown';
  }
  return undefined;
}

/** Refuses a plan that could be carried out in part only, while the tree is still whole and nothing has been fetched. */
export async function checkFolders(plan: Plan, places: Places, probe: FolderProbe): Promise<void> {
  if (changesNothing(plan)) return;
  for (const folder of await touchedFolders(plan, places)) {
    const code = await probe(places.inTree(folder), places.work);
    if (code !== undefined) throw untouchable(folder, code);
  }
}

/** Those that are there and in which a name comes or goes; '' is GAME_DIR itself, which has the marker. */
async function touchedFolders(plan: Plan, places: Places): Promise<ReadonlySet<string>> {
  const names = [
    ...plan.leaving,
    ...plan.leavingDirectories,
    ...plan.missingDirectories,
    ...plan.missingLinks,
    ...plan.work.map(({ file }) => file.name),
  ];
  const above = new Set(names.map((name) => (name.includes('/') ? dirname(name) : '')));
  const touched = new Set(['']);
  for (const folder of above) touched.add(await nearestThere(folder, places));
  return touched;
}

async function nearestThere(folder: string, places: Places): Promise<string> {
  if (folder === '') return folder;
  for (const each of [folder, ...parentsOf(folder).toReversed()])
    if ((await lookAt(places.inTree(each)))?.isDirectory() === true) return each;
  return '';
}

function untouchable(folder: string, code: string): DownloadProblem {
  const where = folder === '' ? 'GAME_DIR' : `The folder ${shown(folder)} in GAME_DIR`;
  const [what, remedy] =
    code === 'EXDEV'
      ? ['is a separate mount', 'Files are moved into place by renaming: use one mount for all of GAME_DIR']
      : ['does not let this program write', 'Give it to the user that the sidecar runs as'];
  return new DownloadProblem(
    'disk',
    `${where} ${what} (${code}), and files in it must change`,
    `${remedy}, then run the download again. The files have not changed`,
  );
}
