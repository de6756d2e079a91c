import { type Allowance, flatness, type Point, type Verdict } from './flatness.ts';
import type { Weight } from './gauge.ts';
import type { SoakSurroundings, Weighed } from './surroundings.ts';

export type Measure = 'heap' | 'rss' | 'handles';

const measures = ['heap', 'rss', 'handles'] as const;
/** Of these, whoever runs Steward for a year depends on; the farm is a stand-in, and told alone. */
const services = ['sidecar', 'controlApi'] as const satisfies readonly Weighed[];

/** One process, from its start to its end. */
interface Life {
  readonly process: Weighed;
  readonly pid: number;
  readonly series: Readonly<Record<Measure, Point[]>>;
}

export interface WeightLimits {
  readonly allowed: Readonly<Record<Measure, Allowance>>;
  readonly longestTurnMs: number;
  /** Of a life that was looked at less often, after its warm-up, nothing is said. */
  readonly fewestLooks: number;
}

/** Every look at how heavy each process is, life by life. */
export class Weights {
  readonly lives: Life[] = [];
  /** The longest turn of the event loop, by process. */
  readonly turnsMs: Partial<Record<Weighed, number>> = {};
  readonly #around: SoakSurroundings;
  readonly #fresh = new Set<number>();

  constructor(around: SoakSurroundings) {
    this.#around = around;
  }

  async look(): Promise<void> {
    for (const [process, gauge] of Object.entries(this.#around.gauges) as [
      Weighed,
      SoakSurroundings['gauges'][Weighed],
    ][]) {
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

  verdicts({ allowed, fewestLooks }: WeightLimits) {
    return this.lives.flatMap(({ process, series }) =>
      measures.flatMap((measure) => {
        const verdict = flatness(series[measure], allowed[measure]);
        return verdict === undefined || verdict.looks < fewestLooks ? [] : [{ process, measure, verdict }];
      }),
    );
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

export function told(measure: Measure, { looks, growth, perMinute }: Verdict): string {
  const inWords = (value: number) => (measure === 'handles' ? value.toFixed(1) : megabytes(value));
  return `by ${inWords(growth)} over ${looks} looks, ${inWords(perMinute)} a minute`;
}

function megabytes(bytes = 0): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
