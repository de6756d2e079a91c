import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

// The writing thread, on a disk that hangs for as long as this file is there.
const { path } = workerData as { readonly path: string };
while (existsSync(`${path}.hangs`)) await pause(1);
await import('../../../src/store/writing/writer-worker.ts');
