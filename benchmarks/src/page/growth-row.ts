import { amount, tableRow } from './table.ts';

/** What was measured with so many of the thing that is doubled. */
export interface GrowthStep {
  readonly number: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Of the service, for each of them, in microseconds. */
  readonly cpuUs?: number;
  /** Of the service, for each of them, in KB. */
  readonly memoryKb?: number;
}

/** One thing, doubled until something broke. */
export interface Growth {
  readonly doubled: string;
  readonly timed: string;
  readonly steps: readonly GrowthStep[];
  /** What broke first, in a sentence. */
  readonly breaks: string;
}

export function growthRows({ doubled, timed, steps }: Growth, machine: string): readonly string[] {
  return steps.map(({ number, medianMs, p99Ms, cpuUs, memoryKb }) =>
    tableRow([
      doubled,
      number.toLocaleString('en'),
      timed,
      amount(medianMs, 'ms'),
      amount(p99Ms, 'ms'),
      cpuUs === undefined ? '' : amount(cpuUs, 'µs'),
      memoryKb === undefined ? '' : amount(memoryKb, 'KB'),
      machine,
    ]),
  );
}

export function breakLineOf({ doubled, breaks }: Growth): string {
  return `- **${doubled}**: ${breaks}`;
}
