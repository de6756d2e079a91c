import { parentPort, workerData } from 'node:worker_threads';
import { serveWriter } from './serve-writer.ts';
import type { WriterData } from './writer.ts';

if (parentPort !== null) serveWriter(parentPort, workerData as WriterData);
