import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { flushDirectory } from '@steward/service-kit/files/flush-directory';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { openNoLink } from './present-chunks.ts';

const fileMode = 0o644;

/** What is written lands where it is meant to: a link that somebody put there is an error. Windows has no such flag. */
const { O_NOFOLLOW: noLink = 0, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
const { O_NONBLOCK: noWait = 0 } = constants;

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
  /** Puts a copy in place of whatever file or link is there. */
  copy(from: string, to: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  /** Returns once a file is on the disk itself. */
  flush(path: string): Promise<void>;
  /** The same for the names in a folder. GAME_DIR itself may be a link, and an operator may have replaced a folder with one. */
  flushNames(folder: string): Promise<void>;
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
    const file = await openToWrite(path, O_CREAT | O_APPEND);
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
    const file = await openToWrite(path, O_CREAT | O_TRUNC);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  },
  async copy(from, to) {
    const source = await openNoLink(from);
    try {
      await rm(to, { force: true });
      const copy = await open(to, O_WRONLY | O_CREAT | O_EXCL, fileMode);
      try {
        await copy.writeFile(source.createReadStream({ autoClose: false }));
      } finally {
        await copy.close();
      }
    } finally {
      await source.close();
    }
  },
  async setMode(path, mode) {
    const file = await openNoLink(path);
    try {
      await file.chmod(mode);
    } finally {
      await file.close();
    }
  },
  flush: async (path) => synced(await openNoLink(path)),
  flushNames: flushDirectory,
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

/** A pipe would be waited for until somebody reads from it; one that somebody does read from is as little a file. */
async function openToWrite(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, O_WRONLY | flags | noWait | noLink, fileMode);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw Object.assign(new Error(`${path} is not a file`), { code: 'ENXIO', path });
}

async function synced(file: FileHandle): Promise<void> {
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Replaces a file so that at any moment, power cuts included, there is the old content or the new, whole. */
export async function replaceWhole(steps: DiskSteps, path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  await steps.writeWhole(temporary, text);
  await steps.flush(temporary);
  await steps.rename(temporary, path);
}
