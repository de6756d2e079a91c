import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@steward/service-kit/clock';
import { ownMs } from '@steward/testing/loop-delay';
import { quantile } from '@steward/testing/quantile';
import { prepareDatabase } from '../../src/store/prepare-database.ts';
import { Writer } from '../../src/store/writing/writer.ts';
import { openedStore } from './opened-store.ts';

const forMs = 1_000;
/** Of fewer, the 99th percentile would be the slowest one. */
const leastReads = 300;
const rounds = { eventsEach: 20, pauseMs: 5 };
const callers = 50;

// Tells and reads for a while, and has many callers wait for the disk at once; what came of it is a line of JSON.
const [directory = ''] = process.argv.slice(2);
const { store, events: log } = openedStore(directory);
if (store.problem !== undefined) throw new Error(store.problem.reason);
const { head } = log;
store.start();
log.append({ id: 0, topic: 'chat' });
await log.kept();

// All the while the disk is busy with what somebody waits for.
const over = new AbortController();
const claims = claimUntil(over.signal);
const loop = monitorEventLoopDelay({ resolution: 1 });
const reads: number[] = [];
loop.enable();
const start = performance.now();
for (let id = 1; reads.length < leastReads || performance.now() < start + forMs; ) {
  for (let each = 0; each < rounds.eventsEach; each += 1, id += 1) log.append({ id, topic: 'chat' });
  const before = ownMs();
  await log.page({ limit: 100 });
  reads.push(ownMs() - before);
  await pause(rounds.pauseMs);
}
loop.disable();
over.abort();
await claims;
const { lost } = log.counts;
await store.close();

const path = join(directory, 'other.db');
const found = prepareDatabase({ path, journal: 'wal', now: () => new Date() });
if (found.kind === 'ready') found.database.close();
const quiet = () => {};
const writer = new Writer({
  path,
  journal: 'wal',
  clock: systemClock,
  log: { warn: quiet, error: quiet },
  failed: quiet,
});
writer.start();
const write = (number: number) => {
  const events = [{ number, at: 0, topic: 'chat', body: '{}' }];
  return writer.write({ kind: 'events', events, keptTo: number }, 'durable');
};
await write(0);
const asked = performance.now();
await Promise.all(
  Array.from({ length: callers }, async (_, number) => {
    // Not all in one turn: the disk is busy with the first when the others come.
    await pause(number);
    await write(number + 1);
  }),
);
const durableMs = performance.now() - asked;
await writer.close();

const readMs = quantile(reads, 0.99);
process.stdout.write(
  `${JSON.stringify({ head, lost, readMs, turnMs: loop.percentile(99) / 1e6, durableMs })}\n`,
);

async function claimUntil(signal: AbortSignal): Promise<void> {
  const operations = store.operations();
  const at = new Date().toISOString();
  const common = {
    command: 'save',
    createdAt: at,
    changedAt: at,
    fingerprint: 'f',
    state: 'claimed',
  } as const;
  for (let id = 0; !signal.aborted; id += 1) await operations.write({ ...common, id: String(id) });
}
