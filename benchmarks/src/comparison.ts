import { median } from '@steward/testing/quantile';

/** One figure of ours, beside what was measured in the same rounds and what it has to reach. */
export interface Comparison {
  readonly figure: string;
  readonly unit: string;
  /** A value for each round. */
  readonly ours: readonly number[];
  /** The limit or the peer, round by round; a figure may have none. */
  readonly limit?: readonly number[];
  /** Who that is, in a word or two. */
  readonly beside?: string;
  /** What the median of ours may be at most; the benchmark fails beyond it. */
  readonly bar?: number;
  /** What the median ratio has to be, where that was decided. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** What `atMost` comes to, in the figure's unit, on the machine that the bars were made on: for information. */
  readonly onceAtMost?: number;
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

/** The ratio of each round's pair; none where nothing was measured beside. */
export function ratios({ ours, limit }: Comparison): readonly number[] {
  return limit === undefined ? [] : ours.map((value, round) => value / (limit[round] ?? Number.NaN));
}

const confidence = 1.96;

/**
 * Between which two values the median lies, by nineteen in twenty: of few rounds the least and the greatest, of many
 * some in the middle, however far out a single one may be.
 */
export function spread(values: readonly number[]): readonly [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const outside = Math.max(0, Math.floor((values.length - confidence * Math.sqrt(values.length)) / 2));
  return [sorted[outside] ?? Number.NaN, sorted[sorted.length - 1 - outside] ?? Number.NaN];
}

/** What a comparison is held to, and whether it holds. */
export interface Verdict {
  /** In words that stand beside the figure. */
  readonly bar: string;
  readonly isMet: boolean;
}

/** Every bar of the figure. What was not measured meets none. */
export function verdicts(comparison: Comparison): readonly Verdict[] {
  const { unit, ours, bar, atLeast, atMost, onceAtMost } = comparison;
  const once = onceAtMost === undefined ? '' : ` (${onceAtMost} ${unit})`;
  const ratio = median(ratios(comparison));
  return [
    ...(bar === undefined ? [] : [{ bar: `≤ ${bar} ${unit}`, isMet: median(ours) <= bar }]),
    ...(atLeast === undefined ? [] : [{ bar: `ratio ≥ ${atLeast}`, isMet: ratio >= atLeast }]),
    ...(atMost === undefined ? [] : [{ bar: `ratio ≤ ${atMost}${once}`, isMet: ratio <= atMost }]),
  ];
}
