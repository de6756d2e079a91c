import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from '../process/errors.ts';

/** No file: of one that cannot be synced, nothing may be on the disk. */
const asDirectory = constants.O_RDONLY | constants.O_DIRECTORY;

/** Returns once the names in a directory are as safe as its file system makes them. */
export async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, asDirectory);
  try {
    await directory.sync().catch(passUnable);
  } finally {
    await directory.close();
  }
}

export function flushDirectorySync(path: string): void {
  const directory = openSync(path, asDirectory);
  try {
    syncDirectory(directory);
  } finally {
    closeSync(directory);
  }
}

/** The same of a directory that is open. */
export function syncDirectory(descriptor: number): void {
  try {
    fsyncSync(descriptor);
  } catch (error) {
    passUnable(error);
  }
}

/** Some file systems sync no directory, as that of VirtualBox's shared folders: what was done in one was done. */
function passUnable(error: unknown): void {
  if (!['EINVAL', 'ENOTSUP'].includes(errorCode(error) ?? '')) throw error;
}
