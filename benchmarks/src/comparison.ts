/** One figure of ours beside the limit that it is held against, both measured in the same rounds. */
export interface Comparison {
  readonly figure: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly limit: readonly number[];
  /** What the median ratio has to be, where that was decided. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Measures each in turn, round after round: the machine's moods then fall on all of them. */
export async function interleave<Name extends string, T>(
  rounds: number,
  subjects: Readonly<Record<Name, () => Promise<T>>>,
): Promise<Record<Name, T[]>> {
  const entries = Object.entries(subjects) as [Name, () => Promise<T>][];
  const measured = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<Name, T[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of entries) measured[name].push(await measure());
  }
  return measured;
}

/** A table row: medians, and the ratio of each round's pair with its spread. */
export function row(comparison: Comparison): string {
  const { figure, unit, ours, limit } = comparison;
  const ratios = ours.map((value, round) => value / (limit[round] ?? Number.NaN));
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return `| ${figure} | ${format(median(ours))} ${unit} | ${format(median(limit))} ${unit} | ${median(ratios).toFixed(2)}${verdict(comparison, median(ratios))} | ${spread} |`;
}

function verdict({ atLeast, atMost }: Comparison, ratio: number): string {
  const judged = (bar: string, passes: boolean): string => ` (${bar}: ${passes ? 'pass' : 'FAIL'})`;
  if (atLeast !== undefined) return judged(`≥ ${atLeast}`, ratio >= atLeast);
  if (atMost !== undefined) return judged(`≤ ${atMost}`, ratio <= atMost);
  return '';
}

export const tableHead =
  '| figure | ours | limit | ratio (median) | spread |\n| --- | --- | --- | --- | --- |';

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}
