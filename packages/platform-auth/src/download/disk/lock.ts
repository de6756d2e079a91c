import { constants } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as passing } from 'node:timers/promises';
import { timestamp, timestampOf } from '@steward/shared/wire-values';
import { z } from 'zod';
import type { Places } from '../names/places.ts';
import { DownloadProblem } from '../problems/problem.ts';

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW: noLink = 0 } = constants;

const busy = 5;
/** Longer than a look at the lock takes. */
const lookMs = 50;

const holder = z.object({ command: z.string(), host: z.string(), pid: z.int(), since: timestamp });

export type LockHolder = z.infer<typeof holder>;

/** Another downloader works on this GAME_DIR. */
export class HeldElsewhere extends DownloadProblem {
  readonly holder: LockHolder | undefined;

  constructor(by: LockHolder | undefined) {
    const who =
      by === undefined
        ? 'another process'
        : `\`platform-auth ${by.command}\` on ${by.host} (process ${by.pid}), since ${by.since}`;
    super('held', `A download into GAME_DIR is under way: ${who}`, 'Wait until it is done, or stop it');
    this.name = 'HeldElsewhere';
    this.holder = by;
  }
}

/**
 * Makes this the only downloader of a GAME_DIR, across containers. The lock is SQLite's on a file in the shared volume: one of
 * the kernel's, which no death of a process leaves behind, `kill -9` included.
 */
export async function takeLock(
  places: Places,
  command: string,
  now: () => Date,
  pid = process.pid,
): Promise<AsyncDisposable> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(places.lock, { timeout: 0 });
  try {
    await begin(database);
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new HeldElsewhere(await readHolder(places));
    throw new DownloadProblem(
      'disk',
      `GAME_DIR cannot be locked (${error instanceof Error ? error.message : String(error)})`,
      'It has to be on a file system that knows locks: a local disk, a volume, or NFS with its lock service',
      { cause: error },
    );
  }
  const me: LockHolder = { command, host: hostname(), pid, since: timestampOf(now()) };
  // Only words for whoever comes second; the lock does not depend on it.
  const flag = O_WRONLY | O_CREAT | O_TRUNC | noLink;
  await writeFile(places.holder, JSON.stringify(me), { flag }).catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

/** Whether somebody downloads now. Looks only: takes no lock that would be in anybody's way for longer than a moment. */
export async function whoHolds(places: Places): Promise<HeldElsewhere | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    using database = new DatabaseSync(places.lock, { readOnly: true, timeout: 0 });
    database.exec('SELECT 1 FROM sqlite_schema');
  } catch (error) {
    if (isBusy(error)) return new HeldElsewhere(await readHolder(places));
  }
  return undefined;
}

/** Twice: the first time somebody may just have been looking. */
async function begin(database: DatabaseSync): Promise<void> {
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

async function readHolder(places: Places): Promise<LockHolder | undefined> {
  try {
    return holder.parse(JSON.parse(await readFile(places.holder, 'utf8')));
  } catch {
    return undefined;
  }
}
