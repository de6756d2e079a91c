import type { Stats } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { codeInBrackets, errorCode } from '@steward/service-kit/process/errors';
import type { Places } from '../names/places.ts';
import { DownloadProblem } from '../problems/problem.ts';
import type { DiskSteps } from './disk-steps.ts';
import { lookAt } from './real-tree.ts';

/** Makes GAME_DIR where it is missing, and finds out before anything else whether it can be written to. */
export async function prepareGameDirectory(places: Places, steps: DiskSteps): Promise<void> {
  await checkOwnPlaces(places);
  await makeRoot(places, steps);
  await steps.makeDirectory(places.work);
  // SQLite, which holds the lock, says of every cause that it cannot open the file; the file system says which.
  await access(places.work, constants.W_OK);
}

/** What a folder that is there may be refused for is another matter than why one cannot be made. */
const unmakeable = ['ENOENT', 'EEXIST', 'EACCES', 'EPERM', 'ENOTDIR'];

async function makeRoot({ root }: Places, steps: DiskSteps): Promise<void> {
  try {
    await steps.makeDirectory(root);
  } catch (error) {
    if (!unmakeable.includes(errorCode(error) ?? '')) throw error;
    throw new DownloadProblem(
      'disk',
      `GAME_DIR (${root}) cannot be created${codeInBrackets(error)}`,
      'Create it for the user that the sidecar runs as, or set GAME_DIR to an existing folder',
    );
  }
}

/**
 * Refuses a GAME_DIR that is no folder, and one whose `.download` leads elsewhere: what lies there is moved and removed without
 * asking. GAME_DIR itself may be a link.
 */
export async function checkOwnPlaces(places: Places): Promise<void> {
  const { root, work, stage, originals, lock } = places;
  const objection = await objectionToRoot(root);
  if (objection !== undefined)
    throw new DownloadProblem(
      'disk',
      `GAME_DIR (${root}) ${objection}`,
      'Set GAME_DIR to a folder, or to where one can be created, or move the existing file away',
    );
  for (const path of [work, stage, originals])
    refuse(path, await lookAt(path), (found) => found.isDirectory(), 'folder');
  refuse(lock, await lookAt(lock), (found) => found.isFile(), 'file');
}

async function objectionToRoot(root: string): Promise<string | undefined> {
  try {
    return (await stat(root)).isDirectory() ? undefined : 'is a file';
  } catch (error) {
    switch (errorCode(error)) {
      case 'ENOENT':
        return (await lookAt(root)) === undefined ? undefined : 'is a link to nothing';
      case 'ENOTDIR':
        return 'is below a file';
      case 'ELOOP':
        return 'is a link in a loop';
      default:
        throw error;
    }
  }
}

function refuse(
  path: string,
  found: Stats | undefined,
  isRight: (found: Stats) => boolean,
  what: string,
): void {
  if (found === undefined || isRight(found)) return;
  throw new DownloadProblem(
    'disk',
    `${path} is ${found.isSymbolicLink() ? 'a link' : 'something else'} where the downloader has its own ${what}`,
    'Remove it, and run the download again: files are published by renaming, only within GAME_DIR',
  );
}
