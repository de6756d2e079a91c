import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

const ownerOnly = 0o600;

/** The steps of a durable write, one system call each, so that a test can end the process between any two. */
export interface FileSteps {
  create(path: string): Promise<FileHandle>;
  write(file: FileHandle, text: string): Promise<void>;
  flush(file: FileHandle): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  flushDirectory(path: string): Promise<void>;
}

export const fileSteps: FileSteps = {
  create: (path) => open(path, 'wx', ownerOnly),
  write: (file, text) => file.writeFile(text, 'utf8'),
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

/** Replaces `path` so that at any moment, power cuts included, there is the old content or the new, whole. */
export async function replaceFile(
  path: string,
  temporary: string,
  text: string,
  steps: FileSteps,
): Promise<void> {
  const file = await steps.create(temporary);
  try {
    await steps.write(file, text);
    await steps.flush(file);
  } finally {
    await file.close();
  }
  await steps.rename(temporary, path);
  await steps.flushDirectory(dirname(path));
}
