import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@steward/service-kit/clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { prepareDatabase } from '../../src/store/prepare-database.ts';
import type { StoreError } from '../../src/store/tables/store-error.ts';
import { type Write, Writer, type WriterParts } from '../../src/store/writing/writer.ts';
import { threadOf } from './threads.ts';

const fatal = new URL('./fatal-writer.ts', import.meta.url);

function event(number: number, body = '{}'): Write {
  const events = [{ number, at: 0, topic: 'chat', body }];
  return { kind: 'events', events, keptTo: number };
}

/** What no column takes. */
const wrong: Write = { kind: 'events', events: [{ number: 1.5, at: 0, topic: 'chat', body: '' }], keptTo: 1 };

class Written implements AsyncDisposable {
  readonly failures: StoreError[] = [];
  readonly warnings: string[] = [];
  readonly writer: Writer;
  readonly #directory = temporaryDirectory();
  readonly #path = join(this.#directory.path, 'steward.db');

  constructor(parts: Partial<WriterParts> = {}) {
    const found = prepareDatabase({ path: this.#path, journal: 'wal', now: () => new Date() });
    if (found.kind === 'ready') found.database.close();
    const say = (_facts: object, message: string) => this.warnings.push(message);
    this.writer = new Writer({
      path: this.#path,
      journal: 'wal',
      clock: systemClock,
      log: { warn: say, error: say },
      failed: (error) => this.failures.push(error),
      ...parts,
    });
  }

  get numbers(): unknown[] {
    using reading = new DatabaseSync(this.#path, { readOnly: true });
    return reading
      .prepare('select n from events order by n')
      .all()
      .map(({ n }) => n);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.writer.close();
    this.#directory[Symbol.dispose]();
  }
}

describe('the thread that writes', () => {
  it('writes what was asked for before it was started, and after', async () => {
    await using written = new Written();
    const early = written.writer.write(event(1), 'late');
    written.writer.start();
    expect(await Promise.all([early, written.writer.write(event(2), 'durable')])).toEqual([1, 1]);
    expect(written.numbers).toEqual([1, 2]);
    expect(written.writer.waiting).toBe(0);
  });

  it('writes everything that waits before it closes, and nothing after', async () => {
    await using written = new Written();
    const asked = [1, 2, 3].map((number) => written.writer.write(event(number), 'late'));
    await written.writer.close();
    expect(await Promise.all(asked)).toEqual([1, 1, 1]);
    expect(written.numbers).toEqual([1, 2, 3]);
    await expect(written.writer.write(event(4), 'late')).rejects.toMatchObject({ failure: 'closed' });
  });

  it('refuses what the database does not take, and writes what came with it', async () => {
    await using written = new Written();
    const asked = [event(1), wrong, event(2)].map((write) => written.writer.write(write, 'durable'));
    written.writer.start();
    const [one, bad, two] = await Promise.allSettled(asked);
    expect([one?.status, two?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(bad).toMatchObject({ status: 'rejected', reason: { failure: 'refused' } });
    expect(written.numbers).toEqual([1, 2]);
    expect(written.failures).toMatchObject([{ failure: 'refused' }]);
  });

  it('takes no more than may wait', async () => {
    await using written = new Written({ limits: { waiting: 2, restarts: 3, withinMs: 60_000 } });
    const asked = [1, 2, 3].map((number) => written.writer.write(event(number), 'late'));
    await expect(asked[2]).rejects.toMatchObject({ failure: 'busy', isLasting: false });
    await written.writer.close();
    expect(written.numbers).toEqual([1, 2]);
  });

  it('is started again when it dies, and nothing that waited is lost or doubled', async () => {
    await using written = new Written({ startThread: threadOf(fatal) });
    written.writer.start();
    await written.writer.write(event(1), 'late');
    const asked = [event(2), event(3, 'dies before'), event(4), event(5, 'dies after'), event(6)];
    await Promise.all(asked.map((write) => written.writer.write(write, 'durable')));
    expect(written.numbers).toEqual([1, 2, 3, 4, 5, 6]);
    expect(written.failures).toEqual([]);
    expect(written.warnings).toEqual(
      Array.from({ length: 2 }, () => 'the thread that writes the database died and is started again'),
    );
  });

  it('is given up when it dies the fourth time within a minute: what waits and what comes is refused at once', async () => {
    await using written = new Written({ startThread: threadOf(fatal) });
    written.writer.start();
    const asked = [event(1, 'dies always'), event(2)].map((write) => written.writer.write(write, 'durable'));
    const refused = {
      failure: 'unreadable',
      message: expect.stringMatching(/died 4 times .* of: exit code 1/),
    };
    for (const each of await Promise.allSettled(asked))
      expect(each).toMatchObject({ status: 'rejected', reason: refused });
    await expect(written.writer.write(event(3), 'late')).rejects.toMatchObject(refused);
    expect(written.failures).toMatchObject([refused]);
    expect(written.numbers).toEqual([]);
  });
});
