import { access, constants } from 'node:fs/promises';
import { DownloadProblem } from '../problem.ts';
import type { DiskSteps } from './disk-steps.ts';
import type { Places } from './places.ts';
import { lookAt } from './real-tree.ts';

/** Makes GAME_DIR where it is missing, and finds out before anything else whether it can be written to. */
export async function prepareGameDirectory(places: Places, steps: DiskSteps): Promise<void> {
  await steps.makeDirectory(places.root);
  if ((await lookAt(places.work))?.isSymbolicLink() === true)
    throw new DownloadProblem(
      'disk',
      'The folder .download in GAME_DIR is a link',
      'Remove it: files are published by renaming them, which works within one file system only',
    );
  await steps.makeDirectory(places.work);
  // SQLite, which holds the lock, says of every cause that it cannot open the file; the file system says which.
  await access(places.work, constants.W_OK);
}
