import type { Metric, MetricValueWithName, Registry } from 'prom-client';

/** Seconds. Most answers are bytes that lie ready; commands wait for a game for up to a minute. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15, 60];

type Label = 'method' | 'route' | 'status';

type Value = MetricValueWithName<Label | 'le'>;

/** Counts the answers of one kind, by how long each took. */
export class Latencies {
  readonly #labels: Readonly<Record<Label, string>>;
  readonly #counts = buckets.map(() => 0);
  #count = 0;
  #sum = 0;

  constructor(labels: Readonly<Record<Label, string>>) {
    this.#labels = labels;
  }

  observe(seconds: number): void {
    this.#count += 1;
    this.#sum += seconds;
    const bucket = buckets.findIndex((longest) => seconds <= longest);
    if (bucket >= 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  /** As Prometheus has a histogram: each bucket has all that is in those before it, too. Nothing before the first answer. */
  values(name: string): Value[] {
    if (this.#count === 0) return [];
    const one = (part: string, value: number, own: Value['labels'] = {}): Value => {
      return { metricName: `${name}_${part}`, value, labels: { ...own, ...this.#labels } };
    };
    let upTo = 0;
    const inBuckets = buckets.map((le, bucket) => {
      upTo += this.#counts[bucket] ?? 0;
      return one('bucket', upTo, { le });
    });
    return [
      ...inBuckets,
      one('bucket', this.#count, { le: '+Inf' }),
      one('sum', this.#sum),
      one('count', this.#count),
    ];
  }
}

/**
 * A histogram in the library's registry, whose series count for themselves. The library's own looks for the series anew with each value, by
 * the text of all labels: that is a thirtieth of what a poll costs.
 */
export class LatencyHistogram {
  readonly name: string;
  readonly #help: string;
  readonly #series = new Map<string, Latencies>();

  constructor(name: string, help: string, registry: Registry) {
    this.name = name;
    this.#help = help;
    registry.registerMetric(this as unknown as Metric);
  }

  of(method: string, route: string, status: number): Latencies {
    const key = `${method} ${status} ${route}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = new Latencies({ method, route, status: String(status) });
      this.#series.set(key, series);
    }
    return series;
  }

  /** What the registry asks each metric for. */
  async get(): Promise<object> {
    const values = [...this.#series.values()].flatMap((series) => series.values(this.name));
    return { name: this.name, help: this.#help, type: 'histogram', values };
  }
}
