import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const ownerOnly = 0o600;

/** The steps of a durable write, one system call each, so that a test can end the process between any two. */
export interface FileSteps {
  create(path: string, mode: number): Promise<FileHandle>;
  write(file: FileHandle, text: string | Uint8Array): Promise<void>;
  flush(file: FileHandle): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  flushDirectory(path: string): Promise<void>;
}

export const fileSteps: FileSteps = {
  create: (path, mode) => open(path, 'wx', mode),
  write: (file, text) => file.writeFile(text),
  flush: (file) => file.sync(),
  rename: (from, to) => rename(from, to),
  async flushDirectory(path) {
    const directory = await open(path, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },
};

export interface ReplaceOptions {
  /** Where the new content is written first, in the same directory; `<path>.new` if nothing is said. */
  readonly temporary?: string;
  readonly mode?: number;
  readonly steps?: FileSteps;
}

/**
 * Replaces `path` so that at any moment, power cuts included, there is the old content or the new, whole. A failure leaves
 * the old content and no temporary file; a killed process may leave one, which the next write takes away.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { temporary = `${path}.new`, mode = ownerOnly, steps = fileSteps }: ReplaceOptions = {},
): Promise<void> {
  await rm(temporary, { force: true });
  const file = await steps.create(temporary, mode);
  try {
    try {
      await steps.write(file, content);
      await steps.flush(file);
    } finally {
      await file.close();
    }
    await steps.rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await steps.flushDirectory(dirname(path));
}
