import { DatabaseSync } from 'node:sqlite';

// The writing thread, which dies of each operation that it is to keep.
const { prepare } = DatabaseSync.prototype;

DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql);
  return sql.startsWith('insert into operations ')
    ? Object.assign(statement, { run: () => process.exit(1) })
    : statement;
};

await import('../../src/store/writing/writer-worker.ts');
