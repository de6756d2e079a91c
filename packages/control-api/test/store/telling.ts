import { openSync, writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { openedStore } from './opened-store.ts';

const eventsALine = 50;

// A process that tells events as fast as it can, until it is killed or told to stop: each with its cursor is a line of a file, before
// it goes on.
const [directory = '', toldPath = '', first = '0'] = process.argv.slice(2);
const { store, events } = openedStore(directory);
if (store.problem !== undefined) throw new Error(store.problem.reason);
store.start();
const told = openSync(toldPath, 'a');
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
for (let id = Number(first); !stop.signal.aborted; id += 1) {
  const { cursor, at } = events.append({ id, topic: 'chat' });
  writeSync(told, `${id} ${cursor} ${at.getTime()}\n`);
  if (id % eventsALine === 0) process.stdout.write(`${id}\n`);
  await turn();
}
await store.close();
