import { median } from '@steward/testing/quantile';
import { type Comparison, ratios, spread, verdicts } from '../comparison.ts';
import { amount, tableRow, times } from './table.ts';

export const figureColumns = [
  'benchmark',
  'figure',
  'Steward',
  'beside',
  'ratio',
  'spread',
  'bar',
  'met',
  'machine',
] as const;

/** A row of the page: medians, the median of the rounds' ratios with its spread, and the bars with their verdict. */
export function figureRow(benchmark: string, comparison: Comparison, machine: string): string {
  const { figure, unit, ours, limit, beside } = comparison;
  const pairs = ratios(comparison);
  const judged = verdicts(comparison);
  return tableRow([
    benchmark,
    figure,
    amount(median(ours), unit),
    limit === undefined
      ? ''
      : [...(beside === undefined ? [] : [beside]), amount(median(limit), unit)].join(': '),
    pairs.length === 0 ? '' : times(median(pairs)),
    pairs.length === 0 ? between(ours, (value) => amount(value, '')) : between(pairs, times),
    judged.map(({ bar }) => bar).join(', '),
    judged.length === 0 ? '' : judged.every(({ isMet }) => isMet) ? 'yes' : '**no**',
    machine,
  ]);
}

/** Says of each bar that is missed by how much; nothing where all are met. */
export function missed(benchmark: string, comparison: Comparison): readonly string[] {
  const { figure, unit, ours } = comparison;
  const pairs = ratios(comparison);
  const reached = [
    amount(median(ours), unit),
    ...(pairs.length === 0 ? [] : [`ratio ${times(median(pairs))}`]),
  ];
  return verdicts(comparison)
    .filter(({ isMet }) => !isMet)
    .map(({ bar }) => `${benchmark}: ${figure}: ${reached.join(', ')}; it has to be ${bar}`);
}

function between(values: readonly number[], show: (value: number) => string): string {
  return values.length < 2 ? '' : spread(values).map(show).join(' to ');
}
