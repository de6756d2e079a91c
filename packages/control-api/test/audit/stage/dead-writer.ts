// The writing thread, which dies of whatever it is asked for.
import { parentPort } from 'node:worker_threads';

parentPort?.once('message', () => process.exit(1));
