import { constants } from 'node:fs';
import { chmod, copyFile, open, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { makeDirectory } from '@steward/service-kit/files/make-directory';

const fileMode = 0o644;

/** What is written lands where it is meant to: a link that somebody put there is an error. Windows has no such flag. */
const { O_NOFOLLOW: noLink = 0, O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = constants;

/**
 * Every way in which a download changes the disk, so that a test can end the process between any two of them, or fill the
 * disk at one.
 */
export interface DiskSteps {
  makeDirectory(path: string): Promise<void>;
  /** Makes the file if it is missing, and cuts or fills it to its size. */
  resize(path: string, bytes: number): Promise<void>;
  writeAt(path: string, data: Uint8Array, offset: number): Promise<void>;
  writeWhole(path: string, text: string | Uint8Array): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  /** Returns once a file, or the names in a directory, are on the disk itself. */
  flush(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  link(target: string, path: string): Promise<void>;
  /** A file or link; one that is not there is no error. */
  remove(path: string): Promise<void>;
  removeEmptyDirectory(path: string): Promise<void>;
  /** With everything in it; or what else is there. */
  removeDirectory(path: string): Promise<void>;
}

export const diskSteps: DiskSteps = {
  async makeDirectory(path) {
    await makeDirectory(path);
  },
  async resize(path, bytes) {
    const file = await open(path, O_WRONLY | O_CREAT | O_APPEND | noLink, fileMode);
    try {
      await file.truncate(bytes);
    } finally {
      await file.close();
    }
  },
  async writeAt(path, data, offset) {
    const file = await open(path, O_RDWR | noLink);
    try {
      let written = 0;
      while (written < data.length) {
        const { bytesWritten } = await file.write(data, written, data.length - written, offset + written);
        written += bytesWritten;
      }
    } finally {
      await file.close();
    }
  },
  async writeWhole(path, text) {
    const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | noLink, fileMode);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  },
  copy: (from, to) => copyFile(from, to),
  setMode: (path, mode) => chmod(path, mode),
  async flush(path) {
    const file = await open(path, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  },
  rename: (from, to) => rename(from, to),
  link: (target, path) => symlink(target, path),
  remove: (path) => rm(path, { force: true }),
  async removeEmptyDirectory(path) {
    await rmdir(path).catch((error: NodeJS.ErrnoException) => {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(error.code ?? '')) throw error;
    });
  },
  removeDirectory: (path) => rm(path, { recursive: true, force: true }),
};

/** Replaces a file so that at any moment, power cuts included, there is the old content or the new, whole. */
export async function replaceWhole(steps: DiskSteps, path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  await steps.writeWhole(temporary, text);
  await steps.flush(temporary);
  await steps.rename(temporary, path);
}
