import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { settledMs } from '@steward/service-kit/settled-time';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/game/operations/operation.ts';
import type { Store, StoreParts } from '../../src/store/store.ts';
import { openedStore } from './opened-store.ts';
import { borrowedThread, threadOf } from './threads.ts';

const at = '2026-11-21T00:00:00.000Z';
const dayMs = 24 * 60 * 60 * 1_000;

function operationOf(id: number, state: Operation['state'] = 'void', keyDigest?: string): Operation {
  const key = keyDigest === undefined ? {} : { keyDigest };
  return { id: String(id), command: 'save', state, createdAt: at, changedAt: at, fingerprint: 'f', ...key };
}

class Kept implements AsyncDisposable {
  readonly store: Store;
  readonly operations: ReturnType<Store['operations']>;
  readonly lines: readonly { readonly message: string }[];

  constructor(directory: string, parts: Partial<StoreParts> = {}) {
    const { store, lines } = openedStore(directory, {
      clock: new ManualClock(),
      startWriter: borrowedThread,
      ...parts,
    });
    this.store = store;
    this.lines = lines;
    this.operations = store.operations();
  }

  async ids(): Promise<readonly string[]> {
    return (await this.operations.load()).map(({ id }) => id);
  }

  write(...written: readonly Operation[]): Promise<unknown> {
    return Promise.all(written.map((each) => this.operations.write(each)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.operations.close();
    await this.store.close();
  }
}

describe('the operations in the database', () => {
  it('are what was written last of each, in the order in which they began, also before the service has started', async () => {
    using directory = temporaryDirectory();
    const refused: Operation = { ...operationOf(2, 'void', 'k'), notDurable: true };
    {
      await using first = new Kept(directory.path);
      expect(await first.ids()).toEqual([]);
      await first.write(operationOf(1, 'claimed'), refused, operationOf(3, 'applied'));
      await first.write(operationOf(1, 'applied'));
      // Its key was free: the same id is a new try.
      await first.write(operationOf(2, 'claimed', 'k'));
    }
    await using second = new Kept(directory.path);
    expect(await second.operations.load()).toEqual([
      // Those with a key first, as their index has them.
      operationOf(2, 'claimed', 'k'),
      operationOf(1, 'applied'),
      operationOf(3, 'applied'),
    ]);
  });

  it('are on the disk when it is said that they are', async () => {
    using directory = temporaryDirectory();
    await using kept = new Kept(directory.path);
    await kept.write(operationOf(1, 'claimed'));
    using file = new DatabaseSync(join(directory.path, 'steward.db'), { readOnly: true });
    expect(file.prepare('select id, is_final from operations').all()).toEqual([{ id: '1', is_final: 0 }]);
  });

  it('do not grow without end: of those with a key and of those without the newest thousand, and all that are open', async () => {
    using directory = temporaryDirectory();
    {
      await using first = new Kept(directory.path);
      await first.write(operationOf(0, 'claimed'));
      for (let batch = 0; batch < 5; batch += 1) {
        const ids = Array.from({ length: 500 }, (_, index) => 1 + batch * 500 + index);
        await first.write(...ids.map((id) => operationOf(id)));
      }
      await first.write(operationOf(10_000, 'applied', 'k'));
    }
    await using second = new Kept(directory.path);
    const ids = await second.ids();
    expect([ids[0], ids[1], ids.at(-1)]).toEqual(['10000', '0', '2500']);
    expect(ids).toHaveLength(1_001);
    using file = new DatabaseSync(join(directory.path, 'steward.db'), { readOnly: true });
    expect(file.prepare('select count(*) as rows from operations').get()).toEqual({ rows: 1_003 });
  });

  it('are forgotten after a day', async () => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    {
      await using first = new Kept(directory.path, { clock });
      await first.write(operationOf(1), operationOf(2, 'claimed'));
    }
    clock.advance(dayMs + 1);
    await using second = new Kept(directory.path, { clock });
    clock.advance(settledMs);
    expect(await second.ids()).toEqual(['2']);
    await second.write({ ...operationOf(3), createdAt: clock.date().toISOString() });
    using file = new DatabaseSync(join(directory.path, 'steward.db'), { readOnly: true });
    expect(file.prepare('select id from operations').all()).toEqual([{ id: '2' }, { id: '3' }]);
  });

  it('are forgotten a day after they ended, however long they took', async () => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    const ended = async () => {
      await using again = new Kept(directory.path, { clock });
      clock.advance(settledMs);
      const ids = await again.ids();
      await again.write({ ...operationOf(3, 'claimed'), createdAt: clock.date().toISOString() });
      using file = new DatabaseSync(join(directory.path, 'steward.db'), { readOnly: true });
      return [
        ids,
        file
          .prepare('select id from operations')
          .all()
          .map(({ id }) => id),
      ];
    };
    {
      await using first = new Kept(directory.path, { clock });
      await first.write(operationOf(1, 'claimed', 'k'), operationOf(2, 'applied', 'k-2'));
      clock.advance(dayMs + 1);
      await first.write({ ...operationOf(1, 'applied', 'k'), changedAt: clock.date().toISOString() });
    }
    expect(await ended()).toEqual([['1'], ['1', '3']]);
    clock.advance(dayMs);
    expect(await ended()).toEqual([['3'], ['3']]);
  });

  it.each([
    ['a process that has only just started', 0],
    ['one that has run for a while', settledMs],
  ])('are not forgotten by a clock that is a day ahead for a moment, by %s', async (_, ranMs) => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    {
      await using first = new Kept(directory.path, { clock });
      await first.write(operationOf(1), operationOf(2, 'applied', 'k'));
    }
    {
      await using second = new Kept(directory.path, { clock });
      clock.advance(ranMs);
      clock.setWallClock(dayMs + 1);
      expect(await second.ids()).toEqual(['2', '1']);
      await second.write(operationOf(3));
    }
    clock.setWallClock(-dayMs - 1);
    await using third = new Kept(directory.path, { clock });
    expect(await third.ids()).toEqual(['2', '1', '3']);
  });

  it('that cannot be read are passed over and counted', async () => {
    using directory = temporaryDirectory();
    {
      await using first = new Kept(directory.path);
      await first.write(operationOf(1));
    }
    using file = new DatabaseSync(join(directory.path, 'steward.db'));
    file.exec("insert into operations (id, created_at, has_key, is_final, body) values ('2', 0, 0, 1, '{}')");
    file.close();
    await using second = new Kept(directory.path);
    expect(await second.ids()).toEqual(['1']);
    expect(second.lines).toEqual([{ level: 'warn', message: 'unreadable operations in STATE_DIR' }]);
  });

  it('keep what could not be kept once there is room, in its newest state, and at the latest when they are closed', async () => {
    using directory = temporaryDirectory();
    const failures: (() => Promise<void>)[] = [];
    const disk: StoreParts['disk'] = {
      failed: (_error, again) => {
        if (again !== undefined) failures.push(again);
      },
    };
    {
      await using first = new Kept(directory.path, { disk });
      await first.write(operationOf(1, 'claimed'));
      using file = new DatabaseSync(join(directory.path, 'steward.db'));
      const refuse = () =>
        file.exec("create trigger full before insert on operations begin select raise(abort, 'full'); end");
      refuse();
      const refused = { name: 'StoreError', message: 'full' };
      for (const each of [operationOf(1, 'unknown'), operationOf(2, 'claimed'), operationOf(2)])
        await expect(first.operations.write(each)).rejects.toMatchObject(refused);
      await expect(failures[0]?.()).rejects.toMatchObject(refused);
      file.exec('drop trigger full');
      await failures[0]?.();
      refuse();
      await expect(first.operations.write(operationOf(3))).rejects.toMatchObject(refused);
      file.exec('drop trigger full');
    }
    await using second = new Kept(directory.path);
    expect(await second.operations.load()).toEqual([
      operationOf(1, 'unknown'),
      operationOf(2),
      operationOf(3),
    ]);
  });

  it('that were begun under a key are not said to be claimed once the database is lost, and those without a key go on', async () => {
    using directory = temporaryDirectory();
    await using kept = new Kept(directory.path, {
      startWriter: threadOf(new URL('data:text/javascript,process.exit(1)')),
    });
    const lost = { name: 'StoreError', failure: 'unreadable' };
    for (const each of [operationOf(1, 'claimed', 'k-1'), operationOf(2, 'claimed', 'k-2')])
      await expect(kept.operations.write(each)).rejects.toMatchObject(lost);
    await kept.write(operationOf(3, 'claimed'), operationOf(2, 'void', 'k-2'));
  });

  it('are forgotten with the process where there is no database, and say why', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'steward.db');
    using newer = new DatabaseSync(path);
    newer.exec('pragma user_version=1000');
    newer.close();
    await using kept = new Kept(directory.path);
    expect(await kept.ids()).toEqual([]);
    await kept.write(operationOf(1));
    expect(kept.operations.unreadable).toMatch(/newer version of this program.*docs\/upgrades\.md/);
    writeFileSync(path, '');
  });
});

/** Lines as a version before the database wrote them. */
function oldLines(...operations: readonly (Operation | { readonly unkept: true })[]): string {
  return ['{"version":1}', ...operations.map((each) => JSON.stringify(each)), ''].join('\n');
}

describe('the operations file of a version before', () => {
  const old = (directory: string) => join(directory, 'operations.jsonl');

  it('is taken over once, and left byte for byte', async () => {
    using directory = temporaryDirectory();
    const text = oldLines(
      operationOf(1, 'claimed', 'k'),
      operationOf(2, 'applied'),
      operationOf(1, 'applied', 'k'),
      {
        ...operationOf(3),
        unkept: true,
      },
    );
    writeFileSync(old(directory.path), text);
    const all = [
      operationOf(1, 'applied', 'k'),
      operationOf(2, 'applied'),
      { ...operationOf(3), notDurable: true },
    ];
    for (const _ of ['taken over', 'in the database']) {
      await using kept = new Kept(directory.path);
      expect(await kept.operations.load()).toEqual(all);
      expect(kept.lines).toEqual([]);
    }
    expect(readFileSync(old(directory.path), 'utf8')).toBe(text);
    using file = new DatabaseSync(join(directory.path, 'steward.db'));
    file.exec('delete from operations');
    file.close();
    await using again = new Kept(directory.path);
    expect(await again.ids()).toEqual([]);
  });

  it('is read up to where the power cut it off', async () => {
    using directory = temporaryDirectory();
    const whole = oldLines(operationOf(1, 'claimed'), operationOf(2));
    const safe = whole.indexOf('\n', whole.indexOf('claimed'));
    const step = count({ small: 13, long: 7 });
    for (let length = safe; length < whole.length; length += step) {
      writeFileSync(old(directory.path), whole.slice(0, length));
      await using kept = new Kept(directory.path);
      expect((await kept.ids())[0]).toBe('1');
    }
  });

  it('is taken over again where somebody went back and that version wrote more: the newest of each counts', async () => {
    using directory = temporaryDirectory();
    const later = { ...operationOf(1, 'applied'), changedAt: '2026-11-21T00:00:02.000Z' };
    const second = { ...operationOf(2, 'claimed'), createdAt: '2026-11-21T00:00:01.000Z' };
    writeFileSync(old(directory.path), oldLines(operationOf(1, 'claimed'), second));
    {
      await using first = new Kept(directory.path);
      await first.ids();
      await first.write(later);
    }
    const ofOld: Operation = { ...second, state: 'void', changedAt: '2026-11-21T00:00:03.000Z' };
    writeFileSync(old(directory.path), oldLines(operationOf(1, 'claimed'), second, ofOld));
    for (const _ of ['taken over', 'in the database']) {
      await using kept = new Kept(directory.path);
      expect(await kept.operations.load()).toEqual([later, ofOld]);
    }
    utimesSync(old(directory.path), 0, 0);
    await using touched = new Kept(directory.path);
    expect(await touched.operations.load()).toEqual([later, ofOld]);
  });
});

it.each(['operations', 'facts', 'keys'])(
  'a database whose %s are damaged is kept aside, and a new one begun, whatever else can be read',
  async (table) => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'steward.db');
    writeFileSync(join(directory.path, 'operations.jsonl'), '');
    {
      await using first = new Kept(directory.path);
      await first.operations.load();
      await first.write(operationOf(1, 'applied', 'k'));
    }
    const page = rootPage(path, table);
    const bytes = readFileSync(path);
    bytes.fill(0xee, (page - 1) * 4_096, page * 4_096);
    writeFileSync(path, bytes);
    await using second = new Kept(directory.path);
    expect(await second.ids()).toEqual([]);
    expect(second.lines).toEqual([
      { level: 'error', message: expect.stringMatching(/was damaged and is kept as/) },
    ]);
    expect(second.operations.unreadable).toMatch(/created again/);
    await second.write(operationOf(2));
  },
);

function rootPage(path: string, table: string): number {
  using file = new DatabaseSync(path, { readOnly: true });
  return Number(file.prepare('select rootpage from sqlite_schema where name = ?').get(table)?.['rootpage']);
}

it('after damage no key counts as new that may have been sent before, for as long as it would have been known', async () => {
  using directory = temporaryDirectory();
  const clock = new ManualClock();
  writeFileSync(join(directory.path, 'steward.db'), 'garbage '.repeat(1_000));
  for (const _ of ['at the damage', 'after a restart']) {
    await using kept = new Kept(directory.path, { clock });
    await kept.operations.load();
    expect(kept.operations.unreadable).toMatch(/created again.* on 2026-.*keys work again from 2026-11-22/);
    clock.advance(settledMs);
    expect(kept.operations.unreadable).toMatch(/created again.* on 2026-.*keys work again from 2026-11-22/);
    await kept.write(operationOf(1));
  }
  clock.advance(dayMs);
  await using kept = new Kept(directory.path, { clock });
  await kept.operations.load();
  expect(kept.operations.unreadable).toBeUndefined();
});
