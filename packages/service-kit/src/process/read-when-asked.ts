import { Counter, Gauge, type Registry } from 'prom-client';

/** The values of the labels, in their order, and the figure; without a figure there is nothing to tell. */
export type MeasuredRow = readonly [...labels: string[], figure: number | undefined];

type Rows = Iterable<MeasuredRow>;

type LabelNames = readonly [string, ...string[]];

/** Metrics that nobody keeps up to date: each is read where it is known anyway, when Prometheus asks. */
export function readWhenAsked(registry: Registry) {
  const registers = [registry];
  return {
    gauge(name: string, help: string, read: () => number | undefined): void {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          const figure = read();
          if (figure === undefined) this.remove();
          else this.set(figure);
        },
      });
    },
    gaugeBy(name: string, help: string, labelNames: LabelNames, read: () => Rows | Promise<Rows>): void {
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const rows = await read();
          this.reset();
          for (const [labels, figure] of labelled(labelNames, rows)) this.set(labels, figure);
        },
      });
    },
    counter(name: string, help: string, read: () => number): void {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    counterBy(name: string, help: string, labelNames: LabelNames, read: () => Rows): void {
      new Counter({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [labels, figure] of labelled(labelNames, read())) this.inc(labels, figure);
        },
      });
    },
  };
}

/** A row for each of all, with 1 for the current one and 0 for the others. */
export function oneOf(all: Iterable<string>, current: string | undefined): readonly MeasuredRow[] {
  return [...all].map((each) => [each, Number(each === current)]);
}

function* labelled(names: LabelNames, rows: Rows): Generator<readonly [Record<string, string>, number]> {
  for (const row of rows) {
    const figure = row.at(-1);
    if (typeof figure !== 'number') continue;
    yield [Object.fromEntries(names.map((name, place) => [name, String(row[place])])), figure];
  }
}
