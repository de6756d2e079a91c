import { DatabaseSync } from 'node:sqlite';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

export const endings = { before: 1, after: 2 } as const;

/** Shared with the threads that this one starts from now on. */
const name = 'steward: when does the thread that writes the database end';
const inherited = getEnvironmentData(name);
const shared = inherited instanceof SharedArrayBuffer ? inherited : new SharedArrayBuffer(4);
setEnvironmentData(name, shared);
const ending = new Int32Array(shared);

/** The thread that writes the database ends with what it commits next: before that is kept, or before anybody is told. */
export function endWriter(when: number): void {
  Atomics.store(ending, 0, when);
}

/** In a thread that may be that one. */
export function mayEnd(): void {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
    const when = sql === 'commit' ? Atomics.exchange(ending, 0, 0) : 0;
    if (when === endings.before) process.exit(1);
    exec.call(this, sql);
    if (when === endings.after) process.exit(1);
  };
}
