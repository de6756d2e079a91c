import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { settledMs } from '@steward/service-kit/settled-time';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../src/store/tables/samples.ts';
import { fillSamples } from './filled-samples.ts';
import { openedStore } from './opened-store.ts';

const minutesOfADay = 24 * 60;

const sample: Sample = {
  minute: 29_902_020,
  players: 2,
  ticks: 5_990,
  tickGapMs: 1_010,
  bridgeLatencyMs: 21,
  serviceMemoryMb: 90,
  gameMemoryMb: 812,
};

const hour = sample.minute / 60;

const totals = {
  place: sample.minute,
  samples: 1,
  players: 2,
  mostPlayers: 2,
  ticked: 1,
  ticks: 5_990,
  tickGapMs: 1_010,
  bridgeLatencyMs: 21,
  serviceMemoryMb: 90,
  gameMemoryMb: 812,
};

describe('samples', () => {
  it.each([
    ['a disk', undefined],
    ['a shared file system', 'NFS'],
  ])('on %s last over a restart, by the minute and by the hour', async (_where, shared) => {
    using directory = temporaryDirectory();
    const fileSystem = () => shared;
    const first = openedStore(directory.path, { fileSystem });
    first.store.start();
    const samples = first.store.samples();
    samples.keep(sample);
    samples.keep({ ...sample, minute: sample.minute + 1, players: 5, ticks: null, tickGapMs: null });
    await first.store.close();
    const { store } = openedStore(directory.path, { fileSystem });
    const again = store.samples();
    expect(await again.totals('minute', sample.minute, sample.minute + 1)).toEqual([totals]);
    expect(await again.totals('hour', hour - 10, hour + 10)).toEqual([
      { ...totals, place: hour, samples: 2, players: 7, mostPlayers: 5 },
    ]);
    expect(await again.totals('minute', sample.minute + 2, sample.minute + 9)).toEqual([]);
    await store.close();
  });

  it('are forgotten at once where there is no database, and whoever asks for some is told', async () => {
    using directory = temporaryDirectory();
    using newer = new DatabaseSync(join(directory.path, 'steward.db'));
    newer.exec('create table later (x); pragma user_version=1000');
    newer.close();
    const { store, failures } = openedStore(directory.path);
    store.start();
    const samples = store.samples();
    samples.keep(sample);
    await expect(samples.totals('hour', 0, 1)).rejects.toMatchObject({
      name: 'StoreError',
      failure: 'closed',
    });
    expect(failures).toEqual([]);
    await store.close();
  });

  it('say so when the database under them is damaged', async () => {
    using directory = temporaryDirectory();
    const { store } = openedStore(directory.path);
    store.start();
    const samples = store.samples();
    samples.keep(sample);
    await store.forgetOld();
    using other = new DatabaseSync(join(directory.path, 'steward.db'));
    other.exec('drop table samples');
    await expect(samples.totals('minute', 0, 1)).rejects.toMatchObject({ failure: 'refused' });
    await store.close();
  });

  it('are forgotten hour by hour when they are too old, and the room is given back', async () => {
    using directory = temporaryDirectory();
    const clock = new ManualClock(new Date(sample.minute * 60_000 - settledMs));
    const keep = { events: { days: 30, count: 10 }, samples: { days: 2 }, audit: { days: 400 } };
    fillSamples(directory.path, sample.minute - 5 * minutesOfADay, sample.minute);
    const { store } = openedStore(directory.path, { clock, keep });
    const { bytes = 0 } = store;
    store.start();
    const samples = store.samples();
    clock.advance(settledMs);
    await store.forgetOld();
    const hours = await samples.totals('hour', hour - 5 * 24, hour);
    expect(hours.map(({ place }) => place)).toEqual(hours.map((_, index) => hour - 48 + index));
    expect(hours).toHaveLength(48);
    const minutes = await samples.totals('minute', sample.minute - 5 * minutesOfADay, sample.minute);
    expect(minutes[0]?.place).toBe(sample.minute - 2 * minutesOfADay);
    expect(minutes).toHaveLength(2 * minutesOfADay);
    await store.close();
    expect(store.bytes).toBeLessThan(bytes * 0.7);
  });

  it('of 400 days take 20 MB at most', () => {
    using directory = temporaryDirectory();
    fillSamples(directory.path, sample.minute - 400 * minutesOfADay, sample.minute);
    expect(statSync(join(directory.path, 'steward.db')).size).toBeLessThan(20_000_000);
  });
});
