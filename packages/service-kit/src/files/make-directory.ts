import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../process/errors.ts';

/**
 * Makes a directory and those above it; one that is there is no error. Node's own `recursive` never comes back from a place
 * that takes no directory and says that the one above is missing, as /proc does.
 */
export async function makeDirectory(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (await isDirectory(path)) return;
    const above = dirname(path);
    if (errorCode(error) !== 'ENOENT' || above === path) throw error;
    // It may have been made meanwhile, by whoever makes the same.
    if (!(await isDirectory(above))) await makeDirectory(above, mode);
    await mkdir(path, { mode }).catch(async (again) => {
      if (!(await isDirectory(path))) throw again;
    });
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
