import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { settledMs } from '@steward/service-kit/settled-time';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { EventLog, parseCursor } from '../../src/game/state/event-log.ts';
import type { KeptEventLog } from '../../src/store/kept/event-log.ts';
import type { Store, StoreParts } from '../../src/store/store.ts';
import { EventReader } from '../../src/store/tables/events.ts';
import type { Told } from './opened-log.ts';
import { openedStore } from './opened-store.ts';

function cursorOf(text: string) {
  const cursor = parseCursor(text);
  if (!cursor.ok) throw new Error(cursor.reason);
  return cursor.value;
}

class Running implements AsyncDisposable {
  readonly store: Store;
  readonly log: KeptEventLog<Told>;
  readonly lines: readonly { readonly level: string; readonly message: string }[];

  constructor(directory: string, parts: Partial<StoreParts> = {}) {
    const { store, events, lines } = openedStore(directory, parts);
    if (store.problem !== undefined) throw new Error(store.problem.reason);
    this.store = store;
    this.log = events;
    this.lines = lines;
    store.start();
  }

  tell(count: number, topic = 'chat'): void {
    for (let id = 1; id <= count; id += 1) this.log.append({ id, topic });
  }

  placeOf(number: number) {
    return { epoch: this.log.epoch, number };
  }

  async after(text: string) {
    const { events, gap } = await this.log.after(cursorOf(text));
    return { ids: events.map(({ event }) => event.id), gap };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}

describe('the store', () => {
  it('makes for all who come back what they missed once, and one piece of it in each turn of the event loop', async () => {
    using directory = temporaryDirectory();
    let before: string;
    {
      await using running = new Running(directory.path);
      before = running.log.head;
      running.tell(3_000);
      await running.log.kept();
    }
    await using running = new Running(directory.path);
    const page = vi.spyOn(EventReader.prototype, 'page');
    const piecesByTurn: number[] = [];
    const ended = new AbortController();
    const count = () => {
      piecesByTurn.push(page.mock.calls.filter(([{ limit }]) => limit > 1).length);
      page.mockClear();
      if (!ended.signal.aborted) setImmediate(count);
    };
    setImmediate(count);
    const [one, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => running.log.after(cursorOf(before))),
    );
    ended.abort();
    page.mockRestore();
    expect(one?.events).toHaveLength(3_000);
    for (const { events } of others)
      expect(events.every((event, place) => event === one?.events[place])).toBe(true);
    expect(Math.max(...piecesByTurn)).toBe(1);
  });

  it('looks for what somebody missed as long as it is wanted', async () => {
    using directory = temporaryDirectory();
    let before: string;
    {
      await using running = new Running(directory.path);
      before = running.log.head;
      running.tell(1_500);
      await running.log.kept();
    }
    await using running = new Running(directory.path);
    const page = vi.spyOn(EventReader.prototype, 'page');
    await running.log.after(cursorOf(before), () => page.mock.calls.length < 1);
    expect(page).toHaveBeenCalledTimes(1);
    page.mockRestore();
  });

  it('copies for who follows page by page only what is new, however much memory holds', async () => {
    using directory = temporaryDirectory();
    await using running = new Running(directory.path);
    running.tell(2_000);
    await running.log.kept();
    const { head } = running.log;
    running.tell(1);
    const copied = vi.spyOn(EventLog.prototype, 'after');
    const { events } = await running.log.page({ after: cursorOf(head), topics: ['chat'], limit: 100 });
    expect(events).toHaveLength(1);
    for (const { value } of copied.mock.results) expect(value.events.length).toBeLessThan(10);
    copied.mockRestore();
  });

  it('is for its owner alone, as chat and identities are in it', async () => {
    using directory = temporaryDirectory();
    await using running = new Running(directory.path);
    running.tell(1);
    await running.log.kept();
    const files = readdirSync(directory.path).filter((name) => name.startsWith('steward.db'));
    expect(files).toContain('steward.db-wal');
    for (const name of files)
      expect([name, statSync(join(directory.path, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('lets a reader go on over a restart, and leaves one file', async () => {
    using directory = temporaryDirectory();
    let head: string;
    {
      await using first = new Running(directory.path);
      head = first.log.head;
      first.tell(5);
      expect(await first.after(head)).toEqual({ ids: [1, 2, 3, 4, 5], gap: false });
    }
    expect(readdirSync(directory.path)).toEqual(['steward.cursor', 'steward.db']);
    await using second = new Running(directory.path);
    second.tell(2);
    expect(await second.after(head)).toEqual({ ids: [1, 2, 3, 4, 5, 1, 2], gap: false });
    expect(second.store.bytes).toBeGreaterThan(4_096);
    expect(second.lines).toEqual([]);
  });

  it('that is begun where there was another knows that keys are lost with that one', async () => {
    using directory = temporaryDirectory();
    {
      await using first = new Running(directory.path);
      first.tell(1);
    }
    rmSync(join(directory.path, 'steward.db'));
    await using again = new Running(directory.path);
    const operations = again.store.operations();
    await operations.load();
    expect(operations.unreadable).toMatch(/the keys that were sent before are unknown/);
  });

  it.each(['over what lies there', 'into an empty directory'] as const)(
    'that is put back from a backup begins another epoch, as its numbers were given out: %s',
    async (how) => {
      using directory = temporaryDirectory();
      using backup = temporaryDirectory();
      const { path } = directory;
      const run = async (count: number) => {
        await using running = new Running(path);
        running.tell(count);
        return running.log.head;
      };
      const kept = await run(3);
      copyFileSync(join(path, 'steward.db'), join(backup.path, 'steward.db'));
      const lost = await run(3);
      if (how === 'into an empty directory') for (const name of readdirSync(path)) rmSync(join(path, name));
      copyFileSync(join(backup.path, 'steward.db'), join(path, 'steward.db'));
      await using again = new Running(path);
      expect(again.lines).toMatchObject([
        { level: 'warn', message: expect.stringMatching(/is not the database that was here before/) },
      ]);
      const operations = again.store.operations();
      await operations.load();
      expect(operations.unreadable).toMatch(/the keys that were sent before are unknown/);
      again.tell(2);
      for (const cursor of [kept, lost])
        expect(await again.after(cursor)).toEqual({ ids: [1, 2], gap: true });
    },
  );

  it('that was copied while it was in use is told from the one that went on, as steward.cursor is deleted where it is put back', async () => {
    using directory = temporaryDirectory();
    using backup = temporaryDirectory();
    const copied = ['steward.db', 'steward.db-wal'];
    {
      await using first = new Running(directory.path);
      first.tell(3);
    }
    {
      await using _inUse = new Running(directory.path);
      for (const name of copied) copyFileSync(join(directory.path, name), join(backup.path, name));
    }
    for (const name of copied) copyFileSync(join(backup.path, name), join(directory.path, name));
    rmSync(join(directory.path, 'steward.cursor'));
    await using again = new Running(directory.path);
    const operations = again.store.operations();
    await operations.load();
    expect(operations.unreadable).toMatch(/the keys that were sent before are unknown/);
  });

  it('that stops before it has started keeps what was told', async () => {
    using directory = temporaryDirectory();
    const { store, events } = openedStore(directory.path);
    const { head } = events;
    events.append({ id: 1, topic: 'chat' });
    await store.close();
    await using again = new Running(directory.path);
    expect(await again.after(head)).toEqual({ ids: [1], gap: false });
  });

  it('tells those who follow its log, until they have had enough', async () => {
    using directory = temporaryDirectory();
    await using running = new Running(directory.path);
    const heard: number[] = [];
    const end = running.log.follow(({ event }) => heard.push(event.id));
    running.tell(1);
    end();
    running.tell(1);
    expect(heard).toEqual([1]);
  });

  it('has pages of history by topic, forwards and backwards, with what has come just now', async () => {
    using directory = temporaryDirectory();
    await using running = new Running(directory.path);
    for (let id = 1; id <= 6; id += 1) running.log.append({ id, topic: id % 2 === 0 ? 'game' : 'chat' });
    const page = async (query: Partial<Parameters<typeof running.log.page>[0]>) => {
      const { events, gap } = await running.log.page({ limit: 100, ...query });
      expect(gap).toBe(false);
      return events.map(({ event }) => event.id);
    };
    const after = (number: number) => ({ after: running.placeOf(number) });
    for (const when of ['at once', 'kept']) {
      expect([when, await page({})]).toEqual([when, [1, 2, 3, 4, 5, 6]]);
      expect(await page({ topics: ['game'], limit: 2, ...after(0) })).toEqual([2, 4]);
      expect(await page({ topics: ['game', 'chat'], limit: 3, ...after(2) })).toEqual([3, 4, 5]);
      expect(await page({ limit: 2 })).toEqual([5, 6]);
      expect(await page({ before: running.placeOf(5), limit: 2 })).toEqual([3, 4]);
      expect(await page({ topics: ['none'] })).toEqual([]);
      expect(await page(after(6))).toEqual([]);
      await running.log.kept();
    }
  });

  it('forgets what is too old and too many, says so as a gap, and gives the room back', async () => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    const keep = { events: { days: 2, count: 3_000 }, samples: { days: 2 }, audit: { days: 400 } };
    const dayMs = 24 * 60 * 60 * 1_000;
    const pageAfter = async (running: Running, number: number) => {
      const { events, gap } = await running.log.page({ after: running.placeOf(number), limit: 10_000 });
      return { ids: events.map(({ event }) => event.id), gap };
    };
    const ids = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index);
    {
      await using running = new Running(directory.path, { clock, keep });
      running.tell(1_500);
      await running.store.forgetOld();
      expect(await pageAfter(running, 0)).toEqual({ ids: ids(1, 1_500), gap: false });
      clock.advance(3 * dayMs);
      running.tell(10, 'x'.repeat(500));
      await running.log.kept();
      await running.store.forgetOld();
      expect(await pageAfter(running, 0)).toEqual({ ids: ids(1, 10), gap: true });
      expect(await pageAfter(running, 1_500)).toEqual({ ids: ids(1, 10), gap: false });
      running.tell(4_000, 'x'.repeat(500));
      await running.log.kept();
      await running.store.forgetOld();
      expect(await pageAfter(running, 1_500)).toEqual({ ids: ids(1_001, 4_000), gap: true });
      // Each time only so many pages.
      await running.store.forgetOld();
    }
    using file = new DatabaseSync(join(directory.path, 'steward.db'));
    expect(file.prepare('pragma freelist_count').get()).toEqual({ freelist_count: 0 });
  });

  it('keeps what is too old by a clock that was just set, and not what is too much', async () => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    const keep = { events: { days: 2, count: 1_000 }, samples: { days: 2 }, audit: { days: 400 } };
    const wrongMs = 40 * 24 * 60 * 60 * 1_000;
    await using running = new Running(directory.path, { clock, keep });
    const ids = async () => {
      const { events } = await running.log.page({ after: running.placeOf(0), limit: 10_000 });
      return [events[0]?.event.id, events.at(-1)?.event.id];
    };
    clock.advance(settledMs);
    running.tell(1_500);
    await running.log.kept();
    clock.setWallClock(wrongMs);
    await running.store.forgetOld();
    expect(await ids()).toEqual([501, 1_500]);
    clock.setWallClock(-wrongMs);
    await running.store.forgetOld();
    expect(await ids()).toEqual([501, 1_500]);
    clock.setWallClock(wrongMs);
    await running.store.forgetOld();
    // It has gone on for so long that it is believed.
    clock.advance(settledMs);
    await running.store.forgetOld();
    expect(await ids()).toEqual([undefined, undefined]);
  });

  it('forgets what is too old also behind what was told while the clock was far ahead, and keeps what is an hour ahead', async () => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    const keep = { events: { days: 2, count: 10_000 }, samples: { days: 2 }, audit: { days: 400 } };
    const hourMs = 60 * 60 * 1_000;
    await using running = new Running(directory.path, { clock, keep });
    const tellAhead = async (hours: number, count: number, topic: string) => {
      clock.setWallClock(hours * hourMs);
      running.tell(count, topic);
      clock.setWallClock(-hours * hourMs);
      await running.log.kept();
    };
    await tellAhead(5_000 * 24, 1_500, 'far ahead');
    await tellAhead(0, 1, 'old');
    clock.advance(3 * 24 * hourMs);
    await tellAhead(1, 1, 'an hour ahead');
    await tellAhead(0, 1, 'new');
    await running.store.forgetOld();
    const { events, gap } = await running.log.page({ after: running.placeOf(0), limit: 10 });
    expect([events.map(({ event }) => event.topic), gap]).toEqual([['an hour ahead', 'new'], true]);
  });

  it('of a newer version is left as it is, and said', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'steward.db');
    using newer = new DatabaseSync(path);
    newer.exec('create table later (x); pragma user_version=1000');
    newer.close();
    const bytes = readFileSync(path);
    const { store, lines } = openedStore(directory.path);
    expect(store.problem).toMatchObject({
      code: 'state-unreadable',
      reason: expect.stringMatching(/steward\.db was written by a newer version of this program/),
      remedy: expect.stringContaining('docs/upgrades.md'),
    });
    expect(lines).toMatchObject([{ level: 'error', message: store.problem?.reason }]);
    expect(readFileSync(path)).toEqual(bytes);
    expect(readdirSync(directory.path)).toEqual(['steward.db']);
  });

  it('that is damaged is kept aside, said in one line, and begun again under another epoch', async () => {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, 'steward.db'), 'garbage '.repeat(1_000));
    await using running = new Running(directory.path);
    expect(running.store.problem).toBeUndefined();
    expect(running.lines).toMatchObject([
      {
        level: 'error',
        message: expect.stringMatching(/was damaged and is kept as .*corrupt-\d+: a new one was created/),
      },
    ]);
    running.tell(1);
  });

  it('that is damaged behind a whole first page is kept aside as well', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'steward.db');
    {
      await using first = new Running(directory.path);
      first.tell(3_000);
    }
    const bytes = readFileSync(path);
    bytes.fill(0xee, 4_096);
    writeFileSync(path, bytes);
    await using second = new Running(directory.path);
    expect(second.store.problem).toBeUndefined();
    expect(second.lines).toMatchObject([{ message: expect.stringMatching(/was damaged and is kept as/) }]);
    const aside = readdirSync(directory.path).filter((name) => name.includes('corrupt'));
    expect(aside.map((name) => readFileSync(join(directory.path, name)))).toEqual([bytes]);
  });

  it('whose damage a reader meets writes no more, tells on, and keeps nothing for later', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'steward.db');
    await new Running(directory.path).store.close();
    const { size: whatTablesThereAre } = statSync(path);
    let head: string;
    {
      await using first = new Running(directory.path);
      head = first.log.head;
      first.tell(3_000, 'x'.repeat(100));
    }
    const bytes = readFileSync(path);
    // The oldest events; not the first pages, which say how far the log has come, too.
    bytes.fill(0xee, whatTablesThereAre, whatTablesThereAre + 10 * 4_096);
    writeFileSync(path, bytes);
    await using second = new Running(directory.path);
    expect(second.store.problem).toBeUndefined();
    second.tell(2);
    expect(await second.after(head)).toEqual({ ids: [1, 2], gap: true });
    expect(second.store.problem).toMatchObject({ code: 'state-unreadable' });
    expect(second.lines).toHaveLength(1);
    expect(existsSync(`${path}.suspected`)).toBe(true);
    second.tell(2);
    await second.log.kept();
    expect(await second.after(second.log.head)).toEqual({ ids: [], gap: false });
    await expect(second.store.forgetOld()).rejects.toMatchObject({ failure: 'unreadable' });
  });

  it('that cannot be opened is said, and memory is all that there is', async () => {
    using directory = temporaryDirectory();
    const { store, events, lines } = openedStore(join(directory.path, 'none'));
    const { head } = events;
    events.append({ id: 1, topic: 'chat' });
    expect(events.recent(cursorOf(head)).events).toHaveLength(1);
    expect(await events.page({ limit: 100 })).toMatchObject({ events: [{ number: 1 }], gap: true });
    expect(events.counts).toEqual({ kept: 0, lost: 1 });
    expect(store.problem?.reason).toMatch(/steward\.db cannot be used \(unable to open database file\)/);
    expect(lines).toHaveLength(1);
  });

  it('on a file system of several machines has a rollback journal, and one warning that names the remedy', async () => {
    using directory = temporaryDirectory();
    await using running = new Running(directory.path, { fileSystem: () => 'NFS' });
    const { head } = running.log;
    running.tell(3);
    await running.log.kept();
    expect(existsSync(join(directory.path, 'steward.db-wal'))).toBe(false);
    expect(await running.after(head)).toEqual({ ids: [1, 2, 3], gap: false });
    expect(running.lines).toMatchObject([
      { level: 'warn', message: expect.stringMatching(/STATE_DIR is on NFS/) },
    ]);
  });
});
