import { DownloadProblem } from '../problem.ts';

const again = 'then run the download again: it goes on where it stopped';

interface Words {
  readonly reason: string;
  readonly remedy: string;
}

const words: Readonly<Record<string, Words>> = {
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
};

/** An error of the file system as the operator can use it; any other comes back as it is. */
function diskProblem(error: unknown): unknown {
  if (error instanceof DownloadProblem || !(error instanceof Error) || !('code' in error)) return error;
  const known = words[String(error.code)];
  if (known === undefined) return error;
  return new DownloadProblem('disk', `${known.reason} (${String(error.code)})`, known.remedy, {
    cause: error,
  });
}

/** Does something, and says in words for the operator what the disk objected to. */
export async function inDiskWords<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw diskProblem(error);
  }
}
