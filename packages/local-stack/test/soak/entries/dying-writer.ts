import { DatabaseSync } from 'node:sqlite';
import { sharedNumber } from '@steward/testing/full-disk';

export const endings = { before: 1, after: 2 } as const;

const ending = sharedNumber('steward: when does the thread that writes the database end');

/** The thread that writes the database ends with what it commits next: before that is kept, or before anybody is told. */
export function endWriter(when: number): void {
  Atomics.store(ending, 0, when);
}

/** In a thread that may be that one. */
export function mayEnd(): void {
  const { exec } = DatabaseSync.prototype;
  let isWriting = false;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
    // One that copies or reads commits as well, but begins in another way.
    if (sql.startsWith('begin')) isWriting = sql === 'begin immediate';
    const isItsCommit = isWriting && sql === 'commit';
    if (isItsCommit) endAt(endings.before);
    exec.call(this, sql);
    if (isItsCommit) endAt(endings.after);
  };
}

function endAt(when: number): void {
  if (Atomics.compareExchange(ending, 0, when, 0) === when) process.exit(1);
}
