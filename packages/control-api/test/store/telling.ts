import { openSync, writeSync } from 'node:fs';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { eventLogLimits } from '../../src/game/state/event-log.ts';
import { openedStore } from './opened-store.ts';

const eventsALine = 50;
/** Half of what one reading gives: whoever reads them all again need not come in time to stop it. */
const mostEvents = eventLogLimits.events / 2;
const longestWaitMs = 600_000;

// A process that tells events as fast as it can, until it is killed or told to stop: each is a line of a file, before it goes on, with
// its cursor and how many it knows to be kept. When it has told enough, and all of it is kept, it says so and waits for that.
const [directory = '', toldPath = '', first = '0'] = process.argv.slice(2);
const { store, events } = openedStore(directory);
if (store.problem !== undefined) throw new Error(store.problem.reason);
store.start();
const told = openSync(toldPath, 'a');
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const from = Number(first);
for (let id = from; id < from + mostEvents && !stop.signal.aborted; id += 1) {
  const { cursor, at } = events.append({ id, topic: 'chat' });
  writeSync(told, `${id} ${cursor} ${at.getTime()} ${events.counts.kept}\n`);
  if (id % eventsALine === 0) process.stdout.write(`${id}\n`);
  await turn();
}
await events.kept();
process.stdout.write('kept\n');
// A timer, because the signal alone would not keep the process.
await pause(longestWaitMs, undefined, { signal: stop.signal }).catch(() => {});
await store.close();
