import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settledMs } from '@steward/service-kit/settled-time';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import type { AuditFilter } from '../../src/store/tables/audit.ts';
import { openedStore } from './opened-store.ts';

const line = {
  at: Date.UTC(2026, 10, 20),
  sort: 'done',
  actor: 'owner',
  action: 'setTime',
  outcome: 'applied',
  operation: null,
  body: '{}',
} as const;

it.each([
  ['damaged, and begun again', false],
  ['put back from a backup', true],
])('the lines of a database that was %s come behind all that were told before', async (_, isBack) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'steward.db');
  /** Opens it and keeps so many lines. */
  const kept = async (count: number) => {
    const { store, events } = openedStore(directory.path);
    const audit = store.audit();
    events.append({ id: count, topic: 'chat' });
    for (let each = 0; each < count; each += 1) await audit.keep(line, 'durable');
    const [last] = await audit.page({ limit: 1, from: 'newest', having: {} });
    return { store, audit, last: last?.number ?? 0 };
  };
  await (await kept(1)).store.close();
  const backup = readFileSync(path);
  const before = await kept(5);
  await before.store.close();
  rmSync(path);
  if (isBack) writeFileSync(path, backup);
  const { store, audit } = await kept(2);
  const behind = async (after: number, having: AuditFilter = {}) =>
    (await audit.page({ after, limit: 10, from: 'oldest', having })).length;
  expect(await behind(before.last)).toBe(2);
  expect(await behind(0)).toBe(isBack ? 3 : 2);
  expect(await behind(0, { actor: 'nobody' })).toBe(0);
  const newest = await audit.page({ limit: 10, from: 'newest', having: { actor: 'owner' } });
  expect(newest).toHaveLength(isBack ? 3 : 2);
  await store.close();
});

const dayMs = 24 * 60 * 60 * 1_000;

describe('what is too old', () => {
  it('does not take lines along that were written while the clock was far behind, until those before them go', async () => {
    await using audit = settledAudit();
    const wrong = Date.UTC(1970, 0, 1);
    await audit.keep(daysAgo(500), daysAgo(300), wrong, daysAgo(200));
    await audit.store.forgetOld();
    expect(await audit.times()).toEqual([daysAgo(300), wrong, daysAgo(200)]);
    audit.clock.advance(150 * dayMs);
    await audit.store.forgetOld();
    expect(await audit.times()).toEqual([daysAgo(200)]);
  });

  it('goes also behind a line that was written while the clock was far ahead', async () => {
    await using audit = settledAudit();
    await audit.keep(daysAgo(-5_000), daysAgo(500), daysAgo(200));
    await audit.store.forgetOld();
    expect(await audit.times()).toEqual([daysAgo(-5_000), daysAgo(200)]);
  });
});

function daysAgo(days: number): number {
  return line.at - days * dayMs;
}

/** The audit of a store whose clock is believed and stands at `line.at`; lines are kept for 400 days. */
function settledAudit() {
  const directory = temporaryDirectory();
  const clock = new ManualClock(new Date(line.at - settledMs));
  const { store } = openedStore(directory.path, { clock });
  const audit = store.audit();
  clock.advance(settledMs);
  return {
    store,
    clock,
    async keep(...times: readonly number[]) {
      for (const at of times) await audit.keep({ ...line, at }, 'durable');
    },
    async times() {
      const lines = await audit.page({ limit: 10, from: 'newest', having: {} });
      return lines.map(({ at }) => at).toReversed();
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      directory[Symbol.dispose]();
    },
  };
}
