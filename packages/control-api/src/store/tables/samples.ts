import type { DatabaseSync } from 'node:sqlite';
import { giveBack } from './database.ts';
import { factNames, factOf } from './facts.ts';

/** How a minute was, in whole numbers; what only a game can tell is null where there was none. */
export interface Sample {
  /** Since 1970. */
  readonly minute: number;
  readonly players: number;
  /** Hundredths of a tick a second. */
  readonly ticks: number | null;
  readonly tickGapMs: number | null;
  readonly bridgeLatencyMs: number | null;
  readonly serviceMemoryMb: number;
  readonly gameMemoryMb: number | null;
}

export interface SampleWrite extends Sample {
  readonly kind: 'sample';
}

/** Takes away, of the oldest `most` hours, those that ended by that minute. */
export interface ForgetSamples {
  readonly kind: 'forget-samples';
  readonly before: number;
  readonly most: number;
}

/** What is kept ready: the minutes as they were, and what those of each hour come to. */
export type SampleUnit = 'minute' | 'hour';

/** What the samples of a stretch of time come to: sums, and the most there was, so that stretches can be put together. */
export interface SampleTotals {
  /** Which minute or hour it is, since 1970. */
  readonly place: number;
  readonly samples: number;
  readonly players: number;
  readonly mostPlayers: number;
  /** In how many of them there were ticks to count, and their sum. */
  readonly ticked: number;
  readonly ticks: number;
  readonly tickGapMs: number | null;
  readonly bridgeLatencyMs: number | null;
  readonly serviceMemoryMb: number;
  readonly gameMemoryMb: number | null;
}

const minutesOfAnHour = 60;

export function sampleWriter(database: DatabaseSync) {
  // A clock that was set back comes to the same minute again: what is newer counts.
  const put = database.prepare('insert or replace into samples values (?, ?, ?, ?, ?, ?, ?)');
  // From the minutes again each time: whatever was written twice or anew, both always say the same.
  const sumUp = database.prepare(
    `insert or replace into sample_hours
      select ?1, count(*), sum(players), max(players), count(ticks), coalesce(sum(ticks), 0),
        max(tick_gap_ms), max(bridge_latency_ms), max(service_memory_mb), max(game_memory_mb)
      from samples where minute >= ?1 * ${minutesOfAnHour} and minute < (?1 + 1) * ${minutesOfAnHour}`,
  );
  const oldest = database.prepare(
    `select hour from sample_hours where (hour + 1) * ${minutesOfAnHour} <= ? order by hour limit ?`,
  );
  const removeHours = database.prepare('delete from sample_hours where hour <= ?');
  const removeMinutes = database.prepare(`delete from samples where minute < (? + 1) * ${minutesOfAnHour}`);
  return {
    keep({ minute, players, ticks, tickGapMs, bridgeLatencyMs, ...memory }: SampleWrite): number {
      const { serviceMemoryMb, gameMemoryMb } = memory;
      put.run(minute, players, ticks, tickGapMs, bridgeLatencyMs, serviceMemoryMb, gameMemoryMb);
      return Number(sumUp.run(Math.floor(minute / minutesOfAnHour)).changes);
    },
    forget({ before, most }: ForgetSamples): number {
      const gone = oldest.all(before, most).map(({ hour }) => Number(hour));
      const last = gone.at(-1) ?? -1;
      removeHours.run(last);
      removeMinutes.run(last);
      giveBack(database);
      return gone.length;
    },
  };
}

/** Reads samples, on a connection that sees what is kept. */
export class SampleReader {
  /** Since when nobody was online, as it was kept when the database was opened. */
  readonly emptySince: string | undefined;
  readonly #statements: Readonly<Record<SampleUnit, ReturnType<DatabaseSync['prepare']>>>;

  constructor(database: DatabaseSync) {
    this.emptySince = factOf(database, factNames.emptySince);
    const minutes = database.prepare(
      `select minute, 1, players, players, ticks is not null, coalesce(ticks, 0), tick_gap_ms, bridge_latency_ms,
        service_memory_mb, game_memory_mb
        from samples where minute >= ? and minute < ? order by minute`,
    );
    const hours = database.prepare(
      `select hour, minutes, players, most_players, ticked, ticks, tick_gap_ms, bridge_latency_ms, service_memory_mb, game_memory_mb
        from sample_hours where hour >= ? and hour < ? order by hour`,
    );
    // There may be thousands, and objects by name take three times as long.
    for (const statement of [minutes, hours]) statement.setReturnArrays(true);
    this.#statements = { minute: minutes, hour: hours };
  }

  /** Those from that minute or hour on, in their order, and before the other. */
  totals(unit: SampleUnit, from: number, before: number): SampleTotals[] {
    const rows: readonly unknown[] = this.#statements[unit].all(from, before);
    return rows.map((row) => totalsOf(row as readonly (number | null)[]));
  }
}

function totalsOf(row: readonly (number | null)[]): SampleTotals {
  const [place, samples, players, mostPlayers, ticked, ticks, ...most] = row;
  const [tickGapMs, bridgeLatencyMs, serviceMemoryMb, gameMemoryMb] = most;
  return {
    place: place ?? 0,
    samples: samples ?? 0,
    players: players ?? 0,
    mostPlayers: mostPlayers ?? 0,
    ticked: ticked ?? 0,
    ticks: ticks ?? 0,
    tickGapMs: tickGapMs ?? null,
    bridgeLatencyMs: bridgeLatencyMs ?? null,
    serviceMemoryMb: serviceMemoryMb ?? 0,
    gameMemoryMb: gameMemoryMb ?? null,
  };
}
