import { Worker } from 'node:worker_threads';
import { isForReaders, operationCommand } from '@steward/shared/api/answers/operations';
import { topics } from '@steward/shared/events/event-types';
import { entryUrl } from '../entries.ts';
import type { CopyAnswer, DatabaseCopy } from './copy-database.ts';
import { failureOf, storeError } from './tables/store-error.ts';

/**
 * The rows of the readers' tables that tell of keys and webhooks, which are an admin's alone. Decided here: to load the schemas that
 * this needs would take the thread longer than to copy a small database.
 */
const adminsRows: Readonly<Record<string, string>> = {
  events: `topic in (${texts(Object.entries(topics).flatMap(([name, { hear }]) => (hear === 'admin' ? [name] : [])))})`,
  operations: `json_extract(body, '$.command') in (${texts(operationCommand.options.filter((name) => !isForReaders(name)))})`,
};

/** Copies the database in a thread of its own, until it is done or nobody wants it any more; rejects with a StoreError. */
export function copyInThread(copy: Omit<DatabaseCopy, 'adminsRows'>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entryUrl('database-copy'), {
      workerData: { ...copy, adminsRows } satisfies DatabaseCopy,
    });
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop);
    let cause: unknown = new Error('its thread ended');
    worker.once('message', (answer: CopyAnswer) => {
      if (answer === 'done') resolve();
      else reject(storeError(answer));
    });
    worker.once('error', (error) => {
      cause = error;
    });
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop);
      reject(signal.aborted ? signal.reason : storeError(failureOf(cause)));
    });
    if (signal.aborted) stop();
  });
}

function texts(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
