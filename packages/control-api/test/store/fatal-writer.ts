import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

// The writing thread, which dies of the events that ask for it: half way through a change, or when it is done and nobody knows yet.
const { path } = workerData as { readonly path: string };
const prototype = DatabaseSync.prototype;
const { prepare, exec } = prototype;
let mustDie = false;

prototype.prepare = function (this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql);
  if (!sql.startsWith('insert into events ')) return statement;
  const run = statement.run.bind(statement) as (...values: unknown[]) => ReturnType<typeof statement.run>;
  return Object.assign(statement, {
    run(...values: unknown[]) {
      const body = values.at(-1);
      if (body === 'dies always' || (body === 'dies before' && isFirst(body))) process.exit(1);
      if (body === 'dies after' && isFirst(body)) mustDie = true;
      return run(...values);
    },
  });
};

prototype.exec = function (this: DatabaseSync, sql: string) {
  exec.call(this, sql);
  if (mustDie && sql === 'commit') process.exit(1);
};

/** Once for all the threads that come after each other. */
function isFirst(body: string): boolean {
  const mark = `${path}.${body.replaceAll(' ', '-')}`;
  if (existsSync(mark)) return false;
  writeFileSync(mark, '');
  return true;
}

await import('../../src/store/writing/writer-worker.ts');
