import { errorCode } from '@steward/service-kit/process/errors';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { DownloadProblem, shown } from '../problems/problem.ts';

const again = 'then run the download again: it continues where it stopped';

const words: Readonly<Record<string, MendableTrouble>> = {
  ENOSPC: { reason: 'The disk of GAME_DIR is full', remedy: `Free some space, ${again}` },
  EDQUOT: {
    reason: "The quota on GAME_DIR's disk is used up",
    remedy: `Raise it or free some space, ${again}`,
  },
  EROFS: {
    reason: 'GAME_DIR is on a read-only file system',
    remedy: `Mount it for writing in the sidecar, ${again}`,
  },
  EACCES: {
    reason: 'GAME_DIR does not let this program write',
    remedy: `Give it to the user that the sidecar runs as, ${again}`,
  },
  EPERM: {
    reason: 'GAME_DIR does not let this program write',
    remedy: `Give it to the user that the sidecar runs as, ${again}`,
  },
  EIO: { reason: 'The disk of GAME_DIR has errors', remedy: `Check the disk, ${again}` },
  EMFILE: { reason: 'Too many files are open', remedy: `Raise the limit on open files, ${again}` },
  EFBIG: {
    reason: 'A file is larger than the file system of GAME_DIR allows',
    remedy: `Use another one, ${again}`,
  },
  EXDEV: {
    reason: 'A folder in GAME_DIR is a separate mount, and files are moved into place by renaming',
    remedy: `Use one mount for all of GAME_DIR, ${again}`,
  },
  EBUSY: {
    reason: 'A file or folder in GAME_DIR is in use, or is a separate mount',
    remedy: `Use one mount for all of GAME_DIR, ${again}`,
  },
};

/** What is in the way. Others than the file system say these, too: they count where they name a path. */
const wordsForPaths: Readonly<Record<string, MendableTrouble>> = {
  EEXIST: {
    reason: 'Something is in the way in GAME_DIR',
    remedy: `Move it away, ${again}`,
  },
  ENOTDIR: {
    reason: 'There is a file where GAME_DIR must have a folder',
    remedy: `Move it away, ${again}`,
  },
  EISDIR: {
    reason: 'There is a folder where GAME_DIR must have a file',
    remedy: `Move it away, ${again}`,
  },
  ENOENT: {
    reason: 'A file in GAME_DIR has disappeared',
    remedy: `Do not change GAME_DIR during the download, ${again}`,
  },
  ELOOP: {
    reason: 'There is a link where the downloader has its own file',
    remedy: `Remove it, ${again}`,
  },
  ENXIO: {
    reason: 'There is a pipe or a device where the downloader has its own file',
    remedy: `Remove it, ${again}`,
  },
};

/** An error of the file system as the operator can use it; any other comes back as it is. */
function diskProblem(error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof DownloadProblem || !(error instanceof Error) || code === undefined) return error;
  const path = 'path' in error ? wordsForPaths[code] : undefined;
  const known = words[code] ?? path;
  if (known === undefined) return error;
  const where = path === undefined || !('path' in error) ? '' : `: ${shown(String(error.path))}`;
  return new DownloadProblem('disk', `${known.reason} (${code}${where})`, known.remedy, { cause: error });
}

/** Does something, and says in words for the operator what the disk objected to. */
export async function inDiskWords<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw diskProblem(error);
  }
}
