import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { inOneTransaction, openForReading, openForWriting } from '../../src/store/database.ts';
import { EventReader, eventWriter } from '../../src/store/events.ts';
import { migrations } from '../../src/store/schema.ts';

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
