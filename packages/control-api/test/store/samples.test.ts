import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import type { KeptSamples } from '../../src/store/kept-samples.ts';
import { prepareDatabase } from '../../src/store/prepare-database.ts';
import { type Sample, sampleWriter } from '../../src/store/samples.ts';
import { openedStore } from './opened-store.ts';

const minutesOfADay = 24 * 60;

const sample: Sample = {
  minute: 29_902_020,
  players: 2,
  ticks: 5_990,
  tickGapMs: 1_010,
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
  serviceMemoryMb: 90,
  gameMemoryMb: 812,
};

describe('samples', () => {
  it('last over a restart, by the minute and by the hour', async () => {
    using directory = temporaryDirectory();
    const first = openedStore(directory.path);
    first.store.start();
    const samples = first.store.samples();
    samples.keep(sample);
    samples.keep({ ...sample, minute: sample.minute + 1, players: 5, ticks: null, tickGapMs: null });
    await first.store.close();
    const { store, lines } = openedStore(directory.path);
    const again = store.samples();
    expect(await again.totals('minute', sample.minute, sample.minute + 1)).toEqual([totals]);
    expect(await again.totals('hour', hour - 10, hour + 10)).toEqual([
      { ...totals, place: hour, samples: 2, players: 7, mostPlayers: 5 },
    ]);
    expect(await again.totals('minute', sample.minute + 2, sample.minute + 9)).toEqual([]);
    expect(lines).toEqual([]);
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
    const clock = new ManualClock(new Date(sample.minute * 60_000));
    const keep = { events: { days: 30, count: 10 }, samples: { days: 2 } };
    fill(directory.path, sample.minute - 5 * minutesOfADay, sample.minute);
    const { store } = openedStore(directory.path, { clock, keep });
    const { bytes } = store;
    store.start();
    const samples = store.samples();
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

  it('of 400 days take 20 MB at most, and are read in no time', { timeout: 600_000 }, async () => {
    using directory = temporaryDirectory();
    const days = 400;
    const before = sample.minute;
    fill(directory.path, before - days * minutesOfADay, before);
    const { store } = openedStore(directory.path);
    expect(statSync(join(directory.path, 'steward.db')).size).toBeLessThan(20_000_000);
    const samples = store.samples();
    const week = 7 * minutesOfADay;
    const mostMs = count({ small: 300, long: 30 });
    expect(await median(samples, 'minute', before - week, before, week)).toBeLessThan(mostMs);
    expect(await median(samples, 'hour', hour - days * 24, hour, days * 24)).toBeLessThan(mostMs);
    await store.close();
  });
});

/** Minutes of a farm as they are, and their hours as the writer makes them. */
function fill(directory: string, from: number, before: number): void {
  const path = join(directory, 'steward.db');
  const found = prepareDatabase({ path, journal: 'wal', now: () => new Date(0) });
  if (found.kind === 'newer') throw new Error(found.reason);
  using database = found.database;
  database.exec('pragma synchronous=off; begin');
  database
    .prepare(
      `insert into samples
        with recursive minutes (minute) as (select ?1 union all select minute + 1 from minutes where minute + 1 < ?2)
        select minute, minute / 97 % 5, 5900 + minute % 113, 1000 + minute * 31 % 300, 88 + minute / 500 % 20, 700 + minute / 11 % 900
        from minutes`,
    )
    .run(from, before);
  const writer = sampleWriter(database);
  for (let minute = from; minute < before; minute += 60) writer.keep({ kind: 'sample', ...sample, minute });
  database.exec('commit');
}

async function median(
  samples: KeptSamples,
  unit: 'minute' | 'hour',
  from: number,
  before: number,
  rows: number,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const start = performance.now();
    const found = await samples.totals(unit, from, before);
    times.push(performance.now() - start);
    expect(found).toHaveLength(rows);
  }
  return times.toSorted((one, other) => one - other)[4] ?? Number.POSITIVE_INFINITY;
}
