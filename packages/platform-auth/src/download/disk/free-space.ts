import { statfs } from 'node:fs/promises';
import { inBytes } from '@steward/service-kit/command-line/amounts';
import { DownloadProblem } from '../problems/problem.ts';

/** For directories, journal and record, and so that the disk is not brim-full afterwards. */
const reserveBytes = 32 * 1024 * 1024;

export type FreeSpace = (path: string) => Promise<number>;

/** What this user may still write on the file system of a path. */
export async function freeSpace(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

export async function checkSpace(path: string, needed: number, free: FreeSpace): Promise<void> {
  if (needed === 0) return;
  const available = await free(path);
  const wanted = needed + reserveBytes;
  if (available >= wanted) return;
  throw new DownloadProblem(
    'disk',
    `The download needs ${inBytes(wanted)} on the disk of GAME_DIR, and ${inBytes(available)} are free`,
    `Free ${inBytes(wanted - available)} more, then run the download again`,
  );
}
