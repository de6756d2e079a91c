import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const probe = await open(new URL(import.meta.url));
const prototype = Object.getPrototypeOf(probe) as Pick<FileHandle, 'appendFile' | 'write' | 'writeFile'>;
await probe.close();
const { appendFile, write, writeFile } = prototype;

/** SQLite's number. */
const sqliteFull = 13;

const isFull = sharedNumber('steward: is the disk full');

/** Whatever this process writes to a file fails as it does on a full disk. */
export function fillDisk(full: boolean): void {
  isFull[0] = Number(full);
  if (full) Object.assign(prototype, { appendFile: noSpace, write: noSpace, writeFile: noSpace });
  else Object.assign(prototype, { appendFile, write, writeFile });
}

/** In a thread that writes a database: what it commits fails as well. */
export function fillDatabases(): void {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
    if (sql === 'commit' && isFull[0] === 1)
      throw Object.assign(new Error('database or disk is full'), { errcode: sqliteFull });
    exec.call(this, sql);
  };
}

/** Shared by that name with the threads that this one starts from now on. */
export function sharedNumber(name: string): Int32Array<SharedArrayBuffer> {
  const inherited = getEnvironmentData(name);
  const shared = inherited instanceof SharedArrayBuffer ? inherited : new SharedArrayBuffer(4);
  setEnvironmentData(name, shared);
  return new Int32Array(shared);
}

async function noSpace(): Promise<never> {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
}
