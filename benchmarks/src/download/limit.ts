// The limit: a plain loop of fetch, native decoder and write on two cores. It checks nothing, retries nothing, resumes nothing.
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LimitWork } from './limit-worker.ts';
import { answerOnce } from './measured.ts';

const cores = 2;

answerOnce(async ({ key, hosts, chunks }, directory, begin) => {
  begin();
  await Promise.all(
    Array.from({ length: cores }, async (_, core) => {
      const work: LimitWork = {
        key,
        hosts,
        chunks: chunks.filter((__, index) => index % cores === core),
        file: join(directory, `core-${core}`),
      };
      const worker = new Worker(new URL('./limit-worker.ts', import.meta.url), { workerData: work });
      await once(worker, 'exit');
    }),
  );
});
