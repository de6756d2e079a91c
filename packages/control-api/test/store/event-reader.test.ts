import { join } from 'node:path';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { inOneTransaction, openForReading, openForWriting } from '../../src/store/tables/database.ts';
import { EventReader, eventWriter } from '../../src/store/tables/events.ts';
import { migrations } from '../../src/store/tables/schema.ts';
import { kind, OpenedLog, type Told } from './opened-log.ts';

it('reads all topics of a page as of one moment, whatever is kept meanwhile: what is skipped nobody would ever ask for again', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'steward.db');
  using writing = openForWriting(path, 'wal');
  for (const migration of migrations) writing.exec(migration);
  const writer = eventWriter(writing);
  const keep = (number: number, topic: string) =>
    inOneTransaction(writing, () =>
      writer.keep({ kind: 'events', events: [{ number, at: number, topic, body: '{}' }], keptTo: number }),
    );
  keep(1, 'chat');
  using reading = openForReading(path);
  const topics = ['chat', 'farm'];
  const after = { after: 0, before: 100, limit: 10, from: 'oldest' } as const;
  const numbers = (asked: readonly string[]) =>
    new EventReader(reading).page({ ...after, topics: asked }).map(({ number }) => number);
  // By the time that the second topic is read, the writing thread has kept one of each.
  const whileRead = Object.defineProperty([...topics], 1, {
    get() {
      keep(2, 'chat');
      keep(3, 'farm');
      return 'farm';
    },
  });
  expect(numbers(whileRead)).toEqual([1]);
  expect(numbers(topics)).toEqual([1, 2, 3]);
});

it('reads back at once no more bytes than memory may hold, the newest of them, and says that there is a gap before', async () => {
  using directory = temporaryDirectory();
  const limits = { events: 10_000, bytes: 300_000 };
  using opened = new OpenedLog<Told>(join(directory.path, 'steward.db'), new ManualClock(), limits, kind);
  const { log } = opened;
  const long = 'x'.repeat(1_000);
  for (let round = 0; round < 10; round += 1) {
    for (let id = 0; id < 200; id += 1) log.append({ id: round * 200 + id, topic: long });
    while (await opened.disk('takes'));
  }
  const { events, gap } = await log.after({ epoch: log.epoch, number: 0 });
  expect(gap).toBe(true);
  const bytes = JSON.stringify(events.map(({ event }) => event)).length;
  expect(bytes).toBeLessThan(4 * limits.bytes);
  // More than memory holds by itself.
  expect(bytes).toBeGreaterThan(1.5 * limits.bytes);
  expect(events.at(-1)?.event.id).toBe(1_999);
  const newest = 2_000 - events.length;
  expect(events.map(({ event }) => event.id)).toEqual(
    [...Array(events.length).keys()].map((id) => newest + id),
  );
});
