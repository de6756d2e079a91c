import { parentPort, workerData } from 'node:worker_threads';
import { type CopyAnswer, copyDatabase, type DatabaseCopy } from './copy-database.ts';
import { failureOf } from './tables/store-error.ts';

// The other side of copyInThread: what SQLite waits for, only this thread waits for.
parentPort?.postMessage(answer());

function answer(): CopyAnswer {
  try {
    copyDatabase(workerData as DatabaseCopy);
    return 'done';
  } catch (error) {
    return failureOf(error);
  }
}
