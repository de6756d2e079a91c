import { amount, tableRow } from './table.ts';

/** What was measured with so many of the thing that is doubled. */
export interface GrowthStep {
  readonly number: number;
  readonly medianMs: number;
  /** Where it was timed more than once. */
  readonly p99Ms?: number;
  /** What one of them costs, in microseconds. */
  readonly eachUs: number;
  /** Of the whole service, in MB. */
  readonly memoryMb: number;
}

/** One thing, doubled until something broke. */
export interface Growth {
  readonly doubled: string;
  readonly timed: string;
  readonly steps: readonly GrowthStep[];
  /** As many as there may be as set out of the box; where nothing sets a limit, as many as the largest farm has. */
  readonly madeFor: number;
  /** The last number with which nothing broke, and the one with which something did. */
  readonly held: number;
  readonly broke?: number;
  /** What broke first, in a sentence. */
  readonly breaks: string;
}

export const growthColumns = [
  'doubled',
  'number',
  'what is timed',
  'median',
  'p99',
  'cost of each',
  'memory',
  'machine',
] as const;

export function growthRows({ doubled, timed, steps }: Growth, machine: string): readonly string[] {
  return steps.map(({ number, medianMs, p99Ms, eachUs, memoryMb }) =>
    tableRow([
      doubled,
      number.toLocaleString('en'),
      timed,
      amount(medianMs, 'ms'),
      p99Ms === undefined ? '' : amount(p99Ms, 'ms'),
      amount(eachUs, 'µs'),
      amount(memoryMb, 'MB'),
      machine,
    ]),
  );
}

export function breakLineOf({ doubled, breaks }: Growth): string {
  return `- **${doubled}**: ${breaks}`;
}
