import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { settledMs } from '@steward/service-kit/settled-time';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { newSecret } from '../../src/keys/key-index.ts';
import { openApi, testKey } from './stage/open-api.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const headers = { 'idempotency-key': 'k-1' };

/** What an earlier process left. */
const left = {
  'a newer version wrote': (path: string) => {
    using newer = new DatabaseSync(path);
    newer.exec('create table later (x); pragma user_version=1000');
  },
  'was damaged': (path: string) => writeFileSync(path, 'garbage '.repeat(1_000)),
};

async function openLeft(how: keyof typeof left) {
  const directory = temporaryDirectory();
  left[how](join(directory.path, 'steward.db'));
  const api = await openApi({ directory: directory.path, key: testKey });
  return {
    api,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

describe('a database that', () => {
  it.each(Object.keys(left) as (keyof typeof left)[])(
    '%s has no key taken that may have been sent before, and every other write done',
    async (how) => {
      await using stage = await openLeft(how);
      const { api } = stage;
      const refused = await api.ask('POST', '/time?value=700', { headers });
      expect(refused.exact).toMatchObject({ status: 503, code: 'state-unreadable' });
      expect((await api.ask('POST', '/time?value=700')).exact).toMatchObject({ success: true });
    },
  );

  it('a newer version wrote lets API_KEY in and nobody whose key cannot be told, and makes none', async () => {
    await using stage = await openLeft('a newer version wrote');
    const { api } = stage;
    const key = newSecret();
    for (let times = 0; times < 20; times += 1) {
      const { exact } = await api.ask('GET', '/status', { key });
      expect(exact).toMatchObject({ status: 503, code: 'state-unreadable' });
      expect(exact['detail']).toContain('only API_KEY works now');
    }
    expect((await api.ask('GET', '/status', { key: 'wrong' })).statusCode).toBe(401);
    expect((await api.ask('GET', '/status')).statusCode).toBe(200);
    for (const [method, url] of [
      ['GET', '/keys'],
      ['POST', '/keys?name=bot&scopes=read'],
      ['POST', '/keys/rotate?name=bot'],
      ['DELETE', '/keys?name=bot'],
    ] as const)
      expect((await api.ask(method, url)).exact).toMatchObject({ status: 503, code: 'state-unreadable' });
  });

  it('a newer version wrote is an obstacle with its remedy that keeps nobody out, and in the metrics', async () => {
    await using stage = await openLeft('a newer version wrote');
    const { api } = stage;
    const remedy = expect.stringContaining('docs/upgrades.md');
    const obstacles = [{ code: 'state-unreadable', reason: expect.stringContaining('steward.db'), remedy }];
    expect((await api.ask('GET', '/status')).exact).toMatchObject({
      isJoinable: true,
      obstacles,
      unreadFiles: [{ remedy }],
    });
    expect((await api.ask('GET', '/health/ready')).exact).toMatchObject({ ready: true, obstacles });
    const { body } = await api.ask('GET', '/metrics');
    expect(body).toContain('steward_state_unreadable 1');
    expect(body).toMatch(/steward_events_lost_total [1-9]/);
  });

  it('was damaged is an obstacle that keeps nobody out for as long as keys are refused, and keeps what comes', async () => {
    await using stage = await openLeft('was damaged');
    const { api } = stage;
    const reason = expect.stringMatching(/created again.*the keys that were sent before are unknown$/);
    const remedy = expect.stringMatching(/without an Idempotency-Key; keys work again from 2026-11-22/);
    const obstacles = [{ code: 'state-unreadable', reason, remedy }];
    expect((await api.ask('GET', '/health/ready')).exact).toMatchObject({ ready: true, obstacles });
    expect((await api.ask('GET', '/metrics')).body).toContain('steward_state_unreadable 0');
    const ready = async () => (await api.ask('GET', '/health/ready')).exact;
    api.clock.setWallClock(dayMs);
    // Looked at before: a clock that was just set is believed when it has gone on for a while.
    expect(await ready()).toMatchObject({ ready: true, obstacles });
    for (const [passed, left] of [
      [settledMs, [{ code: 'state-unreadable' }]],
      [dayMs - settledMs, []],
    ] as const) {
      api.clock.advance(passed);
      api.farm.tick();
      await expect.poll(ready).toMatchObject({ ready: true, obstacles: left });
    }
    expect((await api.ask('POST', '/time?value=700', { headers })).exact).toMatchObject({ success: true });
  });
});

it.each([
  ['with a key is told that nobody knows keys, and not applied', headers, { code: 'state-unreadable' }, 0],
  ['without one is carried out, as those after it are', {}, { success: true }, 1],
] as const)(
  'a command that is under way when the database breaks and was sent %s',
  async (_how, sent, told, applied) => {
    using directory = temporaryDirectory();
    const storeWriter = new URL('../store/dying-writer.ts', import.meta.url);
    await using api = await openApi({ directory: directory.path, storeWriter });
    expect((await api.ask('POST', '/time?value=700', { headers: sent })).exact).toMatchObject(told);
    expect(api.farm.journal.size).toBe(applied);
    const unreadable = { status: 503, code: 'state-unreadable' };
    expect((await api.ask('POST', '/time?value=800', { headers })).exact).toMatchObject(unreadable);
    expect((await api.ask('POST', '/time?value=800')).exact).toMatchObject({ success: true });
  },
);

it('the size of the database, and what of the events is kept, are in the metrics', async () => {
  await using api = await openApi();
  await api.ask('POST', '/time?value=700');
  const { body } = await api.ask('GET', '/metrics');
  expect(body).toContain('steward_state_unreadable 0');
  expect(body).toMatch(/steward_database_bytes [1-9]\d{4}/);
  expect(body).toContain('steward_events_lost_total 0');
});
