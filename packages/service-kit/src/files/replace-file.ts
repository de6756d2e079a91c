import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushDirectory } from './flush-directory.ts';

const ownerOnly = 0o600;
const permissions = 0o7777;
const ownersPermissions = 0o700;

/** The steps of a durable write, one system call each, so that a test can end the process between any two. */
export interface FileSteps {
  create(path: string, mode: number): Promise<FileHandle>;
  write(file: FileHandle, text: string | Uint8Array): Promise<void>;
  flush(file: FileHandle): Promise<void>;
  /** Gives it the mode of another file, whatever the umask, and its owner where this process may. */
  liken(file: FileHandle, like: Likeness): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  flushDirectory(path: string): Promise<void>;
}

export interface Likeness {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export const fileSteps: FileSteps = {
  create: (path, mode) => open(path, 'wx', mode),
  write: (file, text) => file.writeFile(text),
  flush: (file) => file.sync(),
  async liken(file, { mode, uid, gid }) {
    await file.chown(uid, gid).catch(() => {});
    const { mode: given } = await file.stat();
    // A share whose mount sets the mode of all its files refuses any change, and a new one has that of the old already.
    if ((given & permissions) !== (mode & permissions)) await file.chmod(mode & permissions);
  },
  rename: (from, to) => rename(from, to),
  flushDirectory,
};

export interface ReplaceOptions {
  /** Where the new content is written first, in the same directory; `<path>.new` if nothing is said. */
  readonly temporary?: string;
  /** Where it is to be like no other file; for its owner alone if nothing is said. */
  readonly mode?: number;
  /** The file that it takes the place of, where it has to stay what it was to others. */
  readonly like?: Likeness | undefined;
  readonly steps?: FileSteps;
}

/** New content that is on the disk already, beside the file whose place it is to take. */
export interface StagedFile {
  publish(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Replaces `path` so that at any moment, power cuts included, there is the old content or the new, whole. A failure leaves
 * the old content and no temporary file; a killed process may leave one, which the next write takes away.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  options: ReplaceOptions = {},
): Promise<void> {
  const staged = await stageFile(path, content, options);
  await staged.publish();
}

/** The first half of a replacement, in which all that a disk may have against it shows. */
export async function stageFile(
  path: string,
  content: string | Uint8Array,
  { temporary = `${path}.new`, mode = ownerOnly, like, steps = fileSteps }: ReplaceOptions = {},
): Promise<StagedFile> {
  const discard = () => rm(temporary, { force: true });
  const orDiscard = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      await discard();
      throw error;
    }
  };
  await discard();
  // From the first: what others may not read in the old file they read at no moment in the new.
  const isOurGroup = like?.gid === process.getegid?.();
  const first = like === undefined ? mode : like.mode & (isOurGroup ? permissions : ownersPermissions);
  const file = await steps.create(temporary, first);
  await orDiscard(async () => {
    try {
      await steps.write(file, content);
      if (like !== undefined) await steps.liken(file, like);
      await steps.flush(file);
    } finally {
      await file.close();
    }
  });
  const publish = async () => {
    await orDiscard(() => steps.rename(temporary, path));
    await steps.flushDirectory(dirname(path));
  };
  return { publish, discard };
}
