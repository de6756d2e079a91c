import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's own numbers for what went wrong. */
export const sqliteCodes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** Those that say something about the disk, and nothing about what was to be written. */
const ofTheDisk: ReadonlySet<number | undefined> = new Set(Object.values(sqliteCodes));

const damage: ReadonlySet<number | undefined> = new Set([sqliteCodes.corrupt, sqliteCodes.notADatabase]);

/** The lowest byte names the kind; what is above it, the place in SQLite. */
const kindOfCode = 0xff;

export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined;
  return error.errcode & kindOfCode;
}

export function isOfTheDisk(code: number | undefined): boolean {
  return ofTheDisk.has(code);
}

export function isDamage(code: number | undefined): boolean {
  return damage.has(code);
}

/** How a database keeps a change whole: WAL, or the older way, which file systems of several machines can do, too. */
export type Journal = 'wal' | 'rollback';

/** For readers of the older way, which are done in less; and for whatever else looks at the file, such as a backup. */
const writerWaitsMs = 5_000;

/** What a large change has made of the journal is given back at the next checkpoint. */
const journalBytes = 16 * 1024 * 1024;

/** Pages are given back to the file system so many at a time. */
const pagesAtOnce = 200;

/** The one connection that writes. Where the file knows no WAL, the older way is taken whatever was asked for. */
export function openForWriting(path: string, journal: Journal, waitMs = writerWaitsMs): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: waitMs });
  try {
    // Counts only before the first table, and would write to the file each time.
    if (numberOf(database, 'page_count') === 0) database.exec('pragma auto_vacuum=incremental');
    if (journal === 'wal') database.exec('pragma journal_mode=wal');
    else leaveWal(database);
    database.exec(`pragma journal_size_limit=${journalBytes}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What it sees is the last whole change. It never waits: on the thread that answers everybody, nothing may. */
export function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: 0 });
}

export function journalOf(database: DatabaseSync): Journal {
  return textOf(database, 'journal_mode') === 'wal' ? 'wal' : 'rollback';
}

export function numberOf(database: DatabaseSync, pragma: string): number {
  return Number(settingOf(database, pragma));
}

/** All of what `work` does, or nothing of it. */
export function inOneTransaction<Made>(database: DatabaseSync, work: () => Made): Made {
  return between(database, 'begin immediate', work);
}

/** What `work` reads is as of one moment, however many statements it takes. */
export function asOfOneMoment<Read>(database: DatabaseSync, work: () => Read): Read {
  return between(database, 'begin', work);
}

function between<Made>(database: DatabaseSync, begin: string, work: () => Made): Made {
  database.exec(begin);
  try {
    const made = work();
    database.exec('commit');
    return made;
  } catch (error) {
    // Some failures of the disk have ended it already.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** Gives to the file system what was made free by earlier changes, a little at a time. */
export function giveBack(database: DatabaseSync): void {
  database.exec(`pragma incremental_vacuum(${pagesAtOnce})`);
}

/** Undefined where the system does not say, as of a directory that this service may not look into. */
export function bytesOnDisk(path: string): number | undefined {
  try {
    return ['', '-wal', '-journal']
      .map((ending) => statSync(`${path}${ending}`, { throwIfNoEntry: false })?.size ?? 0)
      .reduce((one, other) => one + other);
  } catch {
    return undefined;
  }
}

/** Leaving WAL behind takes the whole file; `exclusive` spares it the shared memory that such file systems do not have. */
function leaveWal(database: DatabaseSync): void {
  database.exec('pragma locking_mode=exclusive');
  if (journalOf(database) === 'wal') database.exec('pragma journal_mode=truncate');
  database.exec('pragma locking_mode=normal; select 1 from sqlite_schema');
  database.exec('pragma journal_mode=truncate');
}

function textOf(database: DatabaseSync, pragma: string): string {
  return String(settingOf(database, pragma));
}

function settingOf(database: DatabaseSync, pragma: string): unknown {
  return database.prepare(`pragma ${pragma}`).get()?.[pragma];
}
