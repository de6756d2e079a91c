import type { Surrounded } from '../chaos/programs.ts';
import { type Allowance, flatness, type Point, type Verdict } from './flatness.ts';
import type { Gauge, Weight } from './gauge.ts';

/** Whom a soak weighs: those whose surroundings it makes, and the bot. */
export type Weighed = Surrounded | 'discordBot';

export type Measure = 'heap' | 'rss' | 'handles';

const measures = ['heap', 'rss', 'handles'] as const;
/** Of these, whoever runs Steward for a year depends on; the farm is a stand-in, and told alone. */
const services = ['sidecar', 'controlApi', 'discordBot'] as const satisfies readonly Weighed[];

/** One process, from its start to its end. */
interface Life {
  readonly process: Weighed;
  readonly pid: number;
  readonly series: Readonly<Record<Measure, Point[]>>;
}

type Allowances = Readonly<Record<Measure, Allowance>>;

export interface WeightLimits {
  readonly young: Allowances;
  readonly settled: Allowances;
  /** A life that lasted so long is held to what a settled one may grow. */
  readonly settledAfterMs: number;
  readonly longestTurnMs: number;
}

/** Every look at how heavy each process is, life by life. */
export class Weights {
  readonly lives: Life[] = [];
  /** The longest turn of the event loop, by process. */
  readonly turnsMs: Partial<Record<Weighed, number>> = {};
  readonly #gauges: Readonly<Record<Weighed, Gauge>>;
  readonly #fresh = new Set<number>();

  constructor(gauges: Readonly<Record<Weighed, Gauge>>) {
    this.#gauges = gauges;
  }

  async look(): Promise<void> {
    for (const [process, gauge] of Object.entries(this.#gauges) as [Weighed, Gauge][]) {
      const weight = await gauge.weigh();
      if (weight !== undefined) this.#note(process, weight);
    }
  }

  /** The last of a process, for whoever wants to see it. */
  latest(process: Weighed): string {
    const life = this.lives.findLast((each) => each.process === process);
    const { heap, rss, handles } = life?.series ?? {};
    return `${megabytes(heap?.at(-1)?.value)} heap, ${megabytes(rss?.at(-1)?.value)} rss, ${handles?.at(-1)?.value ?? '?'} fds`;
  }

  /** What grew, and what stood still for too long. */
  violations(limits: WeightLimits): readonly string[] {
    const { longestTurnMs } = limits;
    const grown = this.verdicts(limits)
      .filter(({ process, verdict }) => !verdict.isFlat && services.some((each) => each === process))
      .map(({ process, measure, verdict }) => `${process}: ${measure} grew, ${told(measure, verdict)}`);
    const slow = services
      .filter((process) => (this.turnsMs[process] ?? 0) > longestTurnMs)
      .map((process) => `${process}: its event loop took ${this.turnsMs[process]} ms in one go`);
    return [...grown, ...slow];
  }

  /** What a service was not looked at often enough for: nothing can be said of it. */
  unweighed(limits: WeightLimits): readonly string[] {
    const told = this.verdicts(limits);
    return services.flatMap((process) =>
      measures
        .filter((measure) => !told.some((each) => each.process === process && each.measure === measure))
        .map((measure) => `${process}: ${measure}`),
    );
  }

  verdicts({ young, settled, settledAfterMs }: WeightLimits) {
    return this.lives.flatMap(({ process, series }) => {
      const allowed = lengthOf(series.heap) < settledAfterMs ? young : settled;
      return measures.flatMap((measure) => {
        const verdict = flatness(series[measure], allowed[measure]);
        return verdict === undefined ? [] : [{ process, measure, verdict }];
      });
    });
  }

  #note(process: Weighed, { pid, turnMs, ...weight }: Weight): void {
    let life = this.lives.find((each) => each.process === process && each.pid === pid);
    if (life === undefined) {
      life = { process, pid, series: { heap: [], rss: [], handles: [] } };
      this.lives.push(life);
    }
    const atMs = performance.now();
    life.series.heap.push({ atMs, value: weight.heap });
    life.series.rss.push({ atMs, value: weight.rss });
    if (weight.handles !== undefined) life.series.handles.push({ atMs, value: weight.handles });
    // What a process does before it is looked at first is its start.
    if (this.#fresh.has(pid)) this.turnsMs[process] = Math.max(this.turnsMs[process] ?? 0, turnMs);
    this.#fresh.add(pid);
  }
}

function lengthOf(looks: readonly Point[]): number {
  return (looks.at(-1)?.atMs ?? 0) - (looks[0]?.atMs ?? 0);
}

export function told(measure: Measure, { looks, growth, perMinute }: Verdict): string {
  const inWords = (value: number) => (measure === 'handles' ? value.toFixed(1) : megabytes(value));
  return `by ${inWords(growth)} over ${looks} looks, ${inWords(perMinute)} a minute`;
}

function megabytes(bytes = 0): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
