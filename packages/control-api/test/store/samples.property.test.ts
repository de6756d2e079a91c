import { join } from 'node:path';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Sampler } from '../../src/status/sampler.ts';
import { prepareDatabase } from '../../src/store/prepare-database.ts';
import { inOneTransaction, openForReading } from '../../src/store/tables/database.ts';
import {
  type Sample,
  SampleReader,
  type SampleTotals,
  sampleWriter,
} from '../../src/store/tables/samples.ts';
import { PlayedBridge } from './played-bridge.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const minutes = fc.record({ kind: fc.constant('minutes' as const), count: fc.integer({ min: 1, max: 80 }) });
const clock = fc.record({
  kind: fc.constant('clock' as const),
  // By a little, so that the same hours come again, or by as much as a machine without a battery is wrong.
  byMs: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -100, max: 20 }).map((some) => some * minuteMs) },
    { weight: 1, arbitrary: fc.integer({ min: -2 * dayMs, max: 400 * dayMs }) },
  ),
});
const restart = fc.record({
  kind: fc.constant('restart' as const),
  last: fc.constantFrom('told', 'taken', 'lost'),
});
const forget = fc.record({
  kind: fc.constant('forget' as const),
  minutes: fc.integer({ min: 0, max: 600 }),
});
const script = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: minutes },
    { weight: 3, arbitrary: clock },
    { weight: 2, arbitrary: restart },
    { weight: 1, arbitrary: forget },
  ),
  { minLength: 5, maxLength: 25 },
);

type Step = typeof script extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

/** What was sampled, in the order of the disk, beside what the database says of it. */
class Story implements Disposable {
  readonly #directory = temporaryDirectory();
  readonly #clock = new ManualClock();
  readonly #bridge = new PlayedBridge();
  readonly #kept = new Map<number, Sample>();
  #database = this.#open();
  #last: Sample | undefined;
  #sampler = this.#start();

  [Symbol.dispose](): void {
    this.#database.connection.close();
    this.#directory[Symbol.dispose]();
  }

  take(step: Step): void {
    switch (step.kind) {
      case 'minutes':
        for (let minute = 0; minute < step.count; minute += 1) {
          this.#bridge.play();
          this.#clock.advance(minuteMs);
        }
        return;
      case 'clock':
        this.#clock.setWallClock(step.byMs);
        return;
      case 'restart':
        this.#restart(step.last);
        return;
      case 'forget':
        this.#forget(step.minutes);
    }
  }

  check(): void {
    using reading = openForReading(this.#path);
    const reader = new SampleReader(reading);
    const samples = [...this.#kept.values()].sort((one, other) => one.minute - other.minute);
    expect(reader.totals('minute', 0, Number.MAX_SAFE_INTEGER)).toEqual(
      samples.map((sample) => sumOf(sample.minute, [sample])),
    );
    const hours = Map.groupBy(samples, ({ minute }) => Math.floor(minute / 60));
    expect(reader.totals('hour', 0, Number.MAX_SAFE_INTEGER)).toEqual(
      [...hours].map(([hour, those]) => sumOf(hour, those)),
    );
  }

  get #path(): string {
    return join(this.#directory.path, 'steward.db');
  }

  #open() {
    const found = prepareDatabase({ path: this.#path, journal: 'wal', now: () => this.#clock.date() });
    if (found.kind === 'newer') throw new Error(found.reason);
    const { database: connection } = found;
    // Nothing here is about a power cut.
    connection.exec('pragma synchronous=off');
    return { connection, writer: sampleWriter(connection) };
  }

  #start(): Sampler {
    const samples = {
      keep: (sample: Sample) => {
        this.#write(sample);
        this.#kept.set(sample.minute, sample);
        this.#last = sample;
      },
    };
    const sampler = new Sampler({ bridge: this.#bridge, samples, clock: this.#clock, memoryBytes: () => 0 });
    sampler.start();
    return sampler;
  }

  #write(sample: Sample): void {
    const { connection, writer } = this.#database;
    inOneTransaction(connection, () => writer.keep({ kind: 'sample', ...sample }));
  }

  /** `taken`: the disk had the last minute, and nobody was told. `lost`: one never came there. */
  #restart(last: 'told' | 'taken' | 'lost'): void {
    this.#sampler.stop();
    this.#database.connection.close();
    this.#database = this.#open();
    // The next writing thread is given once more what the one before has not said that it wrote.
    if (last === 'taken' && this.#last !== undefined && this.#kept.get(this.#last.minute) === this.#last)
      this.#write(this.#last);
    if (last === 'lost') this.#clock.advance(minuteMs);
    this.#sampler = this.#start();
  }

  #forget(minutes: number): void {
    const before = Math.floor(this.#clock.date().getTime() / minuteMs) - minutes;
    const asked = { kind: 'forget-samples', before, most: 3 } as const;
    const { connection, writer } = this.#database;
    const gone = inOneTransaction(connection, () => writer.forget(asked));
    expect(gone).toBeLessThanOrEqual(asked.most);
    const hours = [...new Set([...this.#kept.keys()].map((minute) => Math.floor(minute / 60)))]
      .filter((hour) => (hour + 1) * 60 <= before)
      .sort((one, other) => one - other);
    const last = hours.slice(0, asked.most).at(-1) ?? -1;
    for (const minute of this.#kept.keys()) if (minute < (last + 1) * 60) this.#kept.delete(minute);
  }
}

function sumOf(place: number, samples: readonly Sample[]): SampleTotals {
  const most = (of: (sample: Sample) => number | null) => {
    const known = samples.map(of).filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  const ticks = samples.map((sample) => sample.ticks).filter((value) => value !== null);
  return {
    place,
    samples: samples.length,
    players: samples.reduce((sum, { players }) => sum + players, 0),
    mostPlayers: most(({ players }) => players) ?? 0,
    ticked: ticks.length,
    ticks: ticks.reduce((sum, each) => sum + each, 0),
    tickGapMs: most(({ tickGapMs }) => tickGapMs),
    bridgeLatencyMs: most(({ bridgeLatencyMs }) => bridgeLatencyMs),
    serviceMemoryMb: most(({ serviceMemoryMb }) => serviceMemoryMb) ?? 0,
    gameMemoryMb: most(({ gameMemoryMb }) => gameMemoryMb),
  };
}

it('has of each hour what its minutes come to, over restarts and kills, and however the clock is set', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(script, (steps) => {
      using story = new Story();
      for (const step of steps) story.take(step);
      story.check();
    }),
    { numRuns: count({ small: 30, long: 2_000 }) },
  );
});
