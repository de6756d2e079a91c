import { EventEmitter } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { StartThread, WriterData } from '../../src/store/writing/writer.ts';

/** A writing thread that is another than the service's own. */
export function threadOf(entry: URL): StartThread {
  return (workerData) => new Worker(entry, { workerData });
}

let lender: Worker | undefined;

/** One thread for all the stores of this process, which have a database each: a stage begins in half the time without one of its own. */
export function borrowedThread(data: WriterData): ReturnType<StartThread> {
  if (lender === undefined) {
    lender = new Worker(new URL('./lent-writer.ts', import.meta.url));
    lender.unref();
  }
  const { port1, port2 } = new MessageChannel();
  lender.postMessage({ port: port2, data }, [port2]);
  const thread = new EventEmitter();
  port1.on('message', (answers) => thread.emit('message', answers));
  port1.on('close', () => thread.emit('exit', 0));
  return Object.assign(thread, {
    postMessage: (message: unknown) => port1.postMessage(message),
    ref: () => port1.ref(),
    unref: () => port1.unref(),
  });
}
