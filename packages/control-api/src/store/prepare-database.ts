import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { flushDirectorySync } from '@steward/service-kit/files/flush-directory';
import { newerThan } from '@steward/service-kit/files/json-format';
import { isPipe } from '@steward/service-kit/files/read-regular';
import { inBytes } from '@steward/service-kit/text/amounts';
import {
  inOneTransaction,
  isDamage,
  type Journal,
  journalOf,
  numberOf,
  openForReading,
  openForWriting,
  sqliteCode,
  sqliteCodes,
} from './tables/database.ts';
import { migrations as ownMigrations } from './tables/schema.ts';

/** Where the file's header has its version, big-endian; beside a journal the newest header may be in that. */
const versionAt = 60;
const headerBytes = 100;
const magic = 'SQLite format 3\0';

const ownerOnly = 0o600;

/** What SQLite lays beside a database. */
const companions = ['-wal', '-shm', '-journal'];

export interface PrepareParts {
  readonly path: string;
  readonly journal: Journal;
  readonly now: () => Date;
  readonly migrations?: readonly string[];
  /** For how long another program may have it locked. */
  readonly waitMs?: number | undefined;
}

export type Prepared =
  | {
      readonly kind: 'ready';
      /** Open for writing, for what else has to be done before anything begins; the caller closes it. */
      readonly database: DatabaseSync;
      readonly journal: Journal;
      /** Where the damaged one is kept whose place a new one has taken. */
      readonly aside?: string;
    }
  /** It is left as it is, byte for byte. */
  | { readonly kind: 'newer'; readonly reason: string };

/**
 * Opens the database and brings it up to the current version, with a copy of what it was before. A damaged one is kept aside, and a
 * new one takes its place. Throws what SQLite says where there is nothing to be had.
 */
export function prepareDatabase(parts: PrepareParts): Prepared {
  try {
    return prepared(parts);
  } catch (error) {
    if (!isDamage(sqliteCode(error))) throw error;
  }
  const aside = keepAside(parts.path, parts.now());
  const again = prepared(parts);
  return again.kind === 'ready' ? { ...again, aside } : again;
}

/** Whoever meets damage while it runs leaves this behind, so that the next start looks the whole file through. */
export function suspicionOf(path: string): string {
  return `${path}.suspected`;
}

/** The copy that is made before a migration; only the newest stays. */
export function copyOf(path: string, version: number): string {
  return `${path}.${version}`;
}

function prepared({ path, journal, waitMs, migrations = ownMigrations }: PrepareParts): Prepared {
  const version = existsSync(path) ? versionOf(path) : 0;
  const current = migrations.length;
  const newer = newerThan(current, version);
  if (newer !== undefined) return newer;
  if (version === 0) makeOwnersAlone(path);
  // SQLite would open it for reading alone, and never know when it may write again.
  if (existsSync(path)) accessSync(path, constants.W_OK);
  const database = openForWriting(path, journal, waitMs);
  try {
    if (existsSync(suspicionOf(path))) {
      lookThrough(database);
      rmSync(suspicionOf(path), { force: true });
    }
    if (version > 0 && version < current) copyBeside(database, path, version);
    // All together: each transaction of its own would wait for the disk, and a first start has every migration to run.
    if (version < current)
      inOneTransaction(database, () =>
        database.exec(`${migrations.slice(version).join(';\n')}; pragma user_version=${current}`),
      );
    return { kind: 'ready', database, journal: journalOf(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Why this version could not use a database that lies there and nobody has open; undefined where it can. */
export function whyNewer(path: string): string | undefined {
  return newerThan(ownMigrations.length, versionOf(path))?.reason;
}

/** Opening a database of a newer version would already change what lies there. */
function versionOf(path: string): number {
  const found = statSync(path);
  // It would be waited for without end as it is opened. Of a folder the system says so itself.
  if (!found.isFile() && !found.isDirectory()) throw damaged('it is not a file');
  // SQLite would wait for these, and there is nothing in them.
  for (const ending of companions) if (isPipe(`${path}${ending}`)) rmSync(`${path}${ending}`);
  if (companions.every((ending) => !existsSync(`${path}${ending}`))) return versionInHeader(path);
  const reading = openForReading(path);
  try {
    return numberOf(reading, 'user_version');
  } catch (error) {
    // What was under way when its process died is for a writer to take back.
    if (isDamage(sqliteCode(error))) throw error;
    return versionInHeader(path);
  } finally {
    reading.close();
  }
}

function versionInHeader(path: string): number {
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  try {
    // To SQLite an empty file is an empty database.
    if (readSync(file, header, 0, headerBytes, 0) === 0) return 0;
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, magic.length) !== magic) throw damaged('it is not a database');
  return header.readUInt32BE(versionAt);
}

function lookThrough(database: DatabaseSync): void {
  const [found] = database.prepare('pragma quick_check(1)').all();
  const words = found?.['quick_check'];
  if (words === 'ok') return;
  throw damaged(String(words));
}

function damaged(words: string): Error {
  return failing(sqliteCodes.corrupt, words);
}

/** As SQLite would say it. */
function failing(errcode: number, words: string): Error {
  return Object.assign(new Error(words), { errcode });
}

/** Whole or not there: a copy that was cut off has another name. */
function copyBeside(database: DatabaseSync, path: string, version: number): void {
  const copy = copyOf(path, version);
  const making = `${copy}.new`;
  rmSync(making, { force: true });
  checkRoom(database, path);
  makeOwnersAlone(making);
  try {
    database.prepare('vacuum into ?').run(making);
    flush(making);
    renameSync(making, copy);
  } finally {
    // Half a copy would fill a full disk further.
    rmSync(making, { force: true });
  }
  flushDirectorySync(dirname(path));
  removeOlderCopies(path, version);
}

/** Before it is written: each try fills the disk, holds everybody up, and does not say how much room would be enough. */
function checkRoom(database: DatabaseSync, path: string): void {
  // Free pages are not copied.
  const pages = numberOf(database, 'page_count') - numberOf(database, 'freelist_count');
  const needed = pages * numberOf(database, 'page_size');
  const { blocks, bavail, bsize } = statfsSync(dirname(path));
  // Some file systems do not say.
  if (blocks === 0 || needed <= bavail * bsize) return;
  // Not how much is free: that changes with each try, and what changes is logged again.
  throw failing(
    sqliteCodes.full,
    `the upgrade first copies the database, which needs ${inBytes(needed)} of free space`,
  );
}

/** They have chat and secrets for longer than these are kept otherwise, and the newest is enough to go back. */
function removeOlderCopies(path: string, version: number): void {
  for (let older = 1; older < version; older += 1)
    try {
      rmSync(copyOf(path, older), { force: true });
    } catch {
      // No upgrade fails over one that stays.
    }
}

/** SQLite would let everybody read it; what it lays beside it has the same mode. */
function makeOwnersAlone(path: string): void {
  try {
    closeSync(openSync(path, 'ax', ownerOnly));
  } catch {
    // It is there already, or SQLite says why it cannot be.
  }
}

function keepAside(path: string, date: Date): string {
  const aside = `${path}.corrupt-${date.toISOString().replace(/[^0-9]/g, '')}`;
  for (const ending of ['', ...companions])
    if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${aside}${ending}`);
  rmSync(suspicionOf(path), { force: true });
  flushDirectorySync(dirname(path));
  return aside;
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
