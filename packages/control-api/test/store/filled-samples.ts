import { join } from 'node:path';
import { prepareDatabase } from '../../src/store/prepare-database.ts';
import { sampleWriter } from '../../src/store/tables/samples.ts';

const minutesOfAnHour = 60;

/** Leaves in a new database a sample of every minute of a farm with players who come and go, and the hours as the writer makes them. */
export function fillSamples(directory: string, from: number, before: number): void {
  const path = join(directory, 'steward.db');
  const found = prepareDatabase({ path, journal: 'wal', now: () => new Date(0) });
  if (found.kind === 'newer') throw new Error(found.reason);
  using database = found.database;
  database.exec('pragma synchronous=off; begin');
  database
    .prepare(
      `insert into samples
        with recursive minutes (minute) as (select ?1 union all select minute + 1 from minutes where minute + 1 < ?2)
        select minute, minute / 97 % 5, 5900 + minute % 113, 1000 + minute * 31 % 300, 16 + minute * 37 % 200, 88 + minute / 500 % 20, 700 + minute / 11 % 900
        from minutes`,
    )
    .run(from, before);
  const last = {
    players: 2,
    ticks: 5_990,
    tickGapMs: 1_010,
    bridgeLatencyMs: 21,
    serviceMemoryMb: 90,
    gameMemoryMb: 812,
  };
  const writer = sampleWriter(database);
  for (let minute = from; minute < before; minute += minutesOfAnHour)
    writer.keep({ kind: 'sample', minute, ...last });
  database.exec('commit');
}
