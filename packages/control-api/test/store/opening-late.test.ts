import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import type { Operation } from '../../src/game/operations/operation.ts';
import { parseCursor } from '../../src/game/state/event-log.ts';
import type { KeptEventLog } from '../../src/store/kept/event-log.ts';
import { openAgainMs, type StoreParts } from '../../src/store/store.ts';
import type { Told } from './opened-log.ts';
import { openedStore } from './opened-store.ts';

async function after(log: KeptEventLog<Told>, text: string) {
  const cursor = parseCursor(text);
  if (!cursor.ok) throw new Error(cursor.reason);
  const { events, gap } = await log.after(cursor.value);
  return { ids: events.map(({ event }) => event.id), gap };
}

/** What an earlier process told and kept. */
async function earlier(directory: string, ids: readonly number[], operations: readonly Operation[] = []) {
  const { store, events: log } = openedStore(directory, { clock: new ManualClock() });
  const kept = store.operations();
  const { head } = log;
  for (const id of ids) log.append({ id, topic: 'chat' });
  for (const each of operations) await kept.write(each);
  await store.close();
  return head;
}

/** A store whose database is out of its way until `fix`, and is tried again as time passes. */
async function outOfTheWay(directory: string, parts: Partial<StoreParts> = {}) {
  const [path, away] = [join(directory, 'steward.db'), join(directory, 'away')];
  renameSync(path, away);
  mkdirSync(path);
  const clock = new ManualClock();
  const opened = openedStore(directory, { clock, ...parts });
  const operations = opened.store.operations();
  expect(await operations.load()).toEqual([]);
  opened.store.start();
  return {
    ...opened,
    operations,
    clock,
    fix() {
      rmdirSync(path);
      renameSync(away, path);
    },
    /** What is tried when its time has come is done. */
    async passes() {
      clock.advance(openAgainMs);
      for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((over) => setImmediate(over));
    },
  };
}

const at = '2026-11-21T00:00:00.000Z';
const operationOf = (id: string, state: Operation['state'], keyDigest?: string): Operation => ({
  ...{ id, command: 'save', state, createdAt: at, changedAt: at, fingerprint: 'f' },
  ...(keyDigest === undefined ? {} : { keyDigest }),
});

describe('a database that cannot be opened at the start', () => {
  it('is opened by itself when it can, said in one line each, and what was told meanwhile is a gap', async () => {
    using directory = temporaryDirectory();
    const before = await earlier(directory.path, [1, 2, 3]);
    const { store, events: log, lines, fix, passes } = await outOfTheWay(directory.path);
    const meanwhile = log.head;
    const told = [4, 5].map((id) => log.append({ id, topic: 'chat' }).cursor);
    await passes();
    await passes();
    expect(store.problem).toMatchObject({
      reason: expect.stringMatching(/cannot be used .*until it can/),
      remedy: expect.stringContaining('recovers by itself'),
    });
    fix();
    await passes();
    expect(store.problem).toBeUndefined();
    expect(lines).toMatchObject([
      { level: 'error', message: expect.stringMatching(/steward\.db cannot be used/) },
      { level: 'info', message: expect.stringMatching(/steward\.db can be used again/) },
    ]);
    const { head } = log;
    const cursors = [6, 7].map((id) => log.append({ id, topic: 'chat' }).cursor);
    expect(await after(log, before)).toEqual({ ids: [1, 2, 3, 6, 7], gap: true });
    for (const cursor of [meanwhile, ...told])
      expect(await after(log, cursor)).toEqual({ ids: [6, 7], gap: true });
    expect(await after(log, head)).toEqual({ ids: [6, 7], gap: false });
    expect(new Set([...told, ...cursors])).toHaveProperty('size', 4);
    await log.kept();
    expect(log.counts).toEqual({ kept: 2, lost: 2 });
    await store.close();

    const next = openedStore(directory.path);
    expect(await after(next.events, before)).toEqual({ ids: [1, 2, 3, 6, 7], gap: true });
    expect(await after(next.events, head)).toEqual({ ids: [6, 7], gap: false });
    await next.store.close();
  });

  it('has no gap where nothing was told meanwhile', async () => {
    using directory = temporaryDirectory();
    const before = await earlier(directory.path, [1]);
    const { store, events: log, fix, passes } = await outOfTheWay(directory.path);
    fix();
    await passes();
    log.append({ id: 2, topic: 'chat' });
    expect(await after(log, before)).toEqual({ ids: [1, 2], gap: false });
    await store.close();
  });

  it('has no key taken before those are known that it holds, and what was done meanwhile in it', async () => {
    using directory = temporaryDirectory();
    const kept = [operationOf('1', 'applied', 'k'), operationOf('2', 'claimed')];
    await earlier(directory.path, [1], kept);
    const { store, operations, fix, passes } = await outOfTheWay(directory.path);
    const taken: (readonly Operation[])[] = [];
    operations.late((found) => {
      expect(operations.unreadable).toBeDefined();
      taken.push(found);
    });
    const meanwhile = Array.from({ length: 900 }, (_, id) => operationOf(`3${id}`, 'applied'));
    for (const each of meanwhile) await operations.write(each);
    expect(operations.unreadable).toBeDefined();
    fix();
    await passes();
    await vi.waitFor(() => expect(operations.unreadable).toBeUndefined());
    expect(taken).toEqual([kept]);
    await operations.close();
    await store.close();

    const next = openedStore(directory.path, { clock: new ManualClock() });
    const ids = (await next.store.operations().load()).map(({ id }) => id);
    expect(ids).toEqual([...kept, ...meanwhile].map(({ id }) => id));
    await next.store.close();
  });

  it('holds nobody up while another program has it locked', async () => {
    using directory = temporaryDirectory();
    await earlier(directory.path, [1]);
    const { store, fix, passes } = await outOfTheWay(directory.path);
    fix();
    using other = new DatabaseSync(join(directory.path, 'steward.db'));
    other.exec('begin immediate');
    const before = performance.now();
    await passes();
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(store.problem?.reason).toMatch(/database is locked/);
    other.exec('rollback');
    await passes();
    expect(store.problem).toBeUndefined();
    await store.close();
  });

  it('is not opened before this process is alone, nor once it stops', async () => {
    using directory = temporaryDirectory();
    await earlier(directory.path, [1]);
    const answers = [false, new Error('in use by another')];
    const mayOpen = async () => {
      const answer = answers.shift() ?? true;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const { store, lines, fix, passes } = await outOfTheWay(directory.path, { mayOpen });
    fix();
    await passes();
    await passes();
    expect(store.problem?.reason).toMatch(/in use by another/);
    await store.close();
    await passes();
    expect(lines).toHaveLength(2);
    expect(store.problem).toBeDefined();
  });
});

it('a database that another program keeps locked cannot be read for a while, which says nothing of the disk', async () => {
  using directory = temporaryDirectory();
  const start = await earlier(directory.path, [1, 2]);
  const clock = new ManualClock();
  const { store, events: log, failures } = openedStore(directory.path, { clock, fileSystem: () => 'NFS' });
  {
    using other = new DatabaseSync(join(directory.path, 'steward.db'));
    other.exec('begin exclusive');
    const page = log.page({ limit: 10 });
    const refused = Promise.all([
      expect(page).rejects.toMatchObject({ failure: 'busy' }),
      // They are kept: nobody is told that they are lost.
      expect(after(log, start)).rejects.toMatchObject({ failure: 'busy' }),
    ]);
    for (let turn = 0; turn < 500; turn += 1) {
      await new Promise<void>((over) => setImmediate(over));
      clock.advance(5);
    }
    await refused;
  }
  expect(failures).toEqual([]);
  expect(await after(log, start)).toEqual({ ids: [1, 2], gap: false });
  await store.close();
});
