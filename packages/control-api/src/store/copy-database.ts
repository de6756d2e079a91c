import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { migrations } from './tables/schema.ts';
import type { SqliteFailure } from './tables/store-error.ts';

export interface DatabaseCopy {
  readonly from: string;
  /** A file that is there, is empty, and may be read by nobody else. */
  readonly to: string;
  /** With keys, webhooks and the audit. */
  readonly all: boolean;
  /** The rows of the readers' tables that tell of those, by the table, for where they are left out. */
  readonly adminsRows: Readonly<Record<string, string>>;
  /** Which operation needs it. */
  readonly operationId: string | undefined;
}

export type CopyAnswer = 'done' | SqliteFailure;

/** For as long as another program changes the file by a rollback journal. */
const lockedMs = 5_000;

/** With a rollback journal whoever writes waits for whoever reads, and gives up after some seconds. */
const sharedMs = 2_000;

/** So many rows are copied before the time is looked at. */
const rowsAtOnce = 5_000;

/** What whoever may read or operate is shown in some way. */
export const readersTables: readonly string[] = [
  'events',
  'event_gaps',
  'event_log',
  'operations',
  'samples',
  'sample_hours',
  'facts',
  'schedules',
];

/** What only an admin is shown, and has in a backup of all. */
export const adminsTables: readonly string[] = [
  'keys',
  'audit',
  'audit_begun',
  'webhooks',
  'webhook_deliveries',
];

/**
 * Copies what is in a database at one moment into a new one of the present schema, so that of what is left out nothing is in it, not
 * in free pages either. Nobody who writes waits for it, but with a rollback journal, and there not for long. Throws what SQLite says.
 */
export function copyDatabase({ from, to, all, adminsRows, operationId }: DatabaseCopy): void {
  const source = pathToFileURL(from);
  source.searchParams.set('mode', 'ro');
  const database = new DatabaseSync(to, { timeout: lockedMs });
  const settingOf = (name: string) => database.prepare(`pragma source.${name}`).get()?.[name];
  try {
    // Nobody needs it before it is complete. Its journal is in memory, so a killed process leaves no file beside it; SQLite as Node
    // opens it does not know `off`.
    database.exec('pragma journal_mode=memory; pragma synchronous=off; pragma auto_vacuum=incremental');
    database.exec(`${migrations.join('\n')}; pragma user_version=${migrations.length}`);
    database.prepare('attach database ? as source').run(source.href);
    if (settingOf('user_version') !== migrations.length) throw new Error('another version created it');
    const isWal = settingOf('journal_mode') === 'wal';
    const until = isWal ? Number.POSITIVE_INFINITY : performance.now() + sharedMs;
    database.exec('begin');
    for (const table of all ? [...readersTables, ...adminsTables] : readersTables) {
      const without = all ? undefined : adminsRows[table];
      copyTable(database, table, without, until);
    }
    if (operationId !== undefined) settleMaker(database, operationId);
    database.exec('commit');
  } finally {
    database.close();
  }
}

function copyTable(database: DatabaseSync, table: string, without: string | undefined, until: number): void {
  const next = database.prepare(
    `select max(rowid) as last from (select rowid from source.${table} where rowid > ? order by rowid limit ?)`,
  );
  const copy = database.prepare(
    `insert into main.${table} select * from source.${table} where rowid > ? and rowid <= ? ${without === undefined ? '' : `and not (${without})`}`,
  );
  // Minutes before 1970, and what else nobody numbers so.
  let after = -1;
  for (;;) {
    const last = next.get(after, rowsAtOnce)?.['last'];
    if (last === null || last === undefined) return;
    copy.run(after, last);
    after = Number(last);
    if (performance.now() > until) throw new Error('it is too large to be copied while others wait to write');
  }
}

/**
 * Whoever uses the copy has the backup that it is in: there, what made that was not cut off, but done. What the operation is to tell of it
 * is not known yet, so nothing is left of that; the line of the audit and the run of a schedule say how it ended.
 */
function settleMaker(database: DatabaseSync, operationId: string): void {
  const { changes } = database
    .prepare("delete from main.operations where id = ? and body ->> '$.command' = 'createBackup'")
    .run(operationId);
  // Of any other operation its backup is one step, and what it is made for is yet to come.
  if (Number(changes) === 0) return;
  const isItsOwn = "body ->> '$.operation' = ?1";
  for (const settling of [
    `update main.schedules set run = json_set(run, '$.outcome', 'applied', '$.endedAt', run ->> '$.at')
      where action = 'backup' and run ->> '$.outcome' is null
        and 'schedule ' || name in (select actor from source.audit_begun where ${isItsOwn})`,
    `insert into main.audit select n, at, sort, actor, action, 'applied', ?1, json_remove(body, '$.operation')
      from main.audit_begun where ${isItsOwn}`,
    `delete from main.audit_begun where ${isItsOwn}`,
  ])
    database.prepare(settling).run(operationId);
}
