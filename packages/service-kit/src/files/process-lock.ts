import { constants } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as passing } from 'node:timers/promises';
import { errorCode } from '../process/errors.ts';
import { isPipe, readRegular } from './read-regular.ts';

const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK: noWait = 0, O_NOFOLLOW: noLink = 0 } = constants;

/** SQLite's number for what another process holds. */
const busy = 5;
/** Longer than a look at the lock takes. */
const lookMs = 50;

/** Who holds a lock, in words for whoever comes second. */
export interface LockHolder {
  readonly command: string;
  readonly host: string;
  readonly pid: number;
  readonly since: string;
}

export interface LockFiles {
  /** Nobody may ever read this one: closing it would give up a lock of the same process. */
  readonly lock: string;
  readonly holder: string;
}

export interface LockTaker {
  /** What the process does. */
  readonly command: string;
  readonly now: () => Date;
  readonly pid?: number;
}

export interface LockHeld {
  readonly kind: 'held';
  readonly by: LockHolder | undefined;
}

export type LockTaken = LockHeld | { readonly kind: 'taken'; release(): Promise<void> };

/** What is garbage to Node is closed, and its lock with it: a lock is held for as long as nobody releases it, whoever forgets it. */
const held = new Set<DatabaseSync>();

/**
 * Makes this process the only one that holds a file, across containers. The lock is SQLite's: one of the kernel's, which no death
 * of a process leaves behind, `kill -9` included. Throws where the file system knows no locks.
 */
export async function takeProcessLock(
  files: LockFiles,
  { command, now, pid = process.pid }: LockTaker,
): Promise<LockTaken> {
  await refuseReadOnly(files.lock);
  for (const path of besideOf(files)) if (isPipe(path)) await rm(path);
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(files.lock, { timeout: 0 });
  try {
    await begin(database);
  } catch (error) {
    database.close();
    if (isBusy(error)) return { kind: 'held', by: await readHolder(files.holder) };
    throw error;
  }
  const me: LockHolder = { command, host: hostname(), pid, since: now().toISOString() };
  // Only words for whoever comes second; the lock does not depend on it.
  const flag = O_WRONLY | O_CREAT | O_TRUNC | noWait | noLink;
  await writeFile(files.holder, JSON.stringify(me), { flag }).catch(() => {});
  held.add(database);
  return {
    kind: 'taken',
    async release() {
      held.delete(database);
      database.close();
    },
  };
}

/** Whether somebody holds it now. Looks only: takes no lock that would be in anybody's way for longer than a moment. */
export async function lookAtProcessLock(files: LockFiles): Promise<LockHeld | undefined> {
  if ([files.lock, ...besideOf(files)].some((path) => isPipe(path))) return undefined;
  const { DatabaseSync } = await import('node:sqlite');
  try {
    using database = new DatabaseSync(files.lock, { readOnly: true, timeout: 0 });
    database.exec('SELECT 1 FROM sqlite_schema');
  } catch (error) {
    if (isBusy(error)) return { kind: 'held', by: await readHolder(files.holder) };
  }
  return undefined;
}

/** Of the lock there are none, but SQLite looks into whatever has their names. */
function besideOf({ lock }: LockFiles): readonly string[] {
  return ['-journal', '-wal', '-shm'].map((ending) => `${lock}${ending}`);
}

/** SQLite would open what it may not write all the same, and its lock would keep nobody out. */
async function refuseReadOnly(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Twice: the first time somebody may just have been looking. */
async function begin(database: DatabaseSync): Promise<void> {
  // A journal on the disk would need room, which a full one does not have, and there is nothing to take back.
  database.exec('PRAGMA journal_mode = memory');
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (!isBusy(error)) throw error;
    await passing(lookMs);
    database.exec('BEGIN EXCLUSIVE');
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}

async function readHolder(path: string): Promise<LockHolder | undefined> {
  try {
    const { command, host, pid, since } = JSON.parse((await readRegular(path)).toString());
    const isWhole = [command, host, since].every((each) => typeof each === 'string') && Number.isInteger(pid);
    return isWhole ? { command, host, pid, since } : undefined;
  } catch {
    return undefined;
  }
}
