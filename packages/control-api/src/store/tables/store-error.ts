import { isDamage, isOfTheDisk, sqliteCode, sqliteCodes } from './database.ts';

/**
 * Why something is not kept, or not known to be:
 * - `busy`: too much waits for the disk, or another program has the file locked; trying again helps.
 * - `unwritable`: the disk takes nothing now, as when it is full; it passes when that is mended.
 * - `unreadable`: the database is damaged, or the thread that writes it keeps dying; if it was open, it is not used before the next start.
 * - `closed`: no database is open: the service is stopping, or the file could not be opened so far, which is tried again.
 * - `refused`: the database does not take this, whatever the disk.
 */
export type StoreFailure = 'busy' | 'unwritable' | 'unreadable' | 'closed' | 'refused';

/** What an operator knows the disk's refusals by. */
const codeNames: Readonly<Record<number, string>> = {
  [sqliteCodes.full]: 'ENOSPC',
  [sqliteCodes.readOnly]: 'EROFS',
  [sqliteCodes.ioError]: 'EIO',
};

/** Something was not kept, or could not be read. */
export class StoreError extends Error {
  readonly failure: StoreFailure;
  /** What Node would name it by. */
  readonly code: string | undefined;

  constructor(failure: StoreFailure, message: string, sqlite?: number) {
    super(message);
    this.name = 'StoreError';
    this.failure = failure;
    this.code = failure === 'busy' ? 'EBUSY' : sqlite === undefined ? undefined : codeNames[sqlite];
  }

  /** Whether it is no use to try again after a while: there is no database, and whoever needs one that is opened later is told. */
  get isLasting(): boolean {
    return this.failure === 'unreadable' || this.failure === 'closed';
  }
}

/** An error of SQLite's as it goes from thread to thread. */
export interface SqliteFailure {
  readonly message: string;
  readonly code: number | undefined;
}

export function failureOf(error: unknown): SqliteFailure {
  return { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) };
}

export function storeError({ message, code }: SqliteFailure): StoreError {
  if (isDamage(code)) return new StoreError('unreadable', message);
  if (code === sqliteCodes.busy) return new StoreError('busy', message);
  return new StoreError(isOfTheDisk(code) ? 'unwritable' : 'refused', message, code);
}

/** What is kept cannot be used, or is not what it was; for the operator. */
export interface StoreProblem {
  readonly code: 'state-unreadable';
  readonly reason: string;
  readonly remedy: string;
  readonly since: Date;
}
