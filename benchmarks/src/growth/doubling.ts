import type { GrowthStep } from '../page/growth-row.ts';

/** For each thing that is doubled. */
const longestMs = 60_000;

/** Whoever waits longer than this for what usually takes moments would call it broken. */
const slowMs = 1_000;

interface Doubling {
  readonly from: number;
  /** The last number that this machine can be asked for, and why no more. */
  readonly most: { readonly number: number; readonly because: string };
  readonly step: (number: number) => Promise<GrowthStep>;
  /** Whether a p99 beyond a second counts as broken. */
  readonly isBrokenWhenSlow?: boolean;
}

/** Doubles until a step fails or is slow, the machine has no more, or the minute is over; says which in words. */
export async function doubled(
  { from, most, step, isBrokenWhenSlow = true }: Doubling,
  now: () => number = () => performance.now(),
): Promise<{ readonly steps: readonly GrowthStep[]; readonly end: string }> {
  const steps: GrowthStep[] = [];
  const began = now();
  for (let number = from; ; number *= 2) {
    const shown = number.toLocaleString('en');
    if (number > most.number) return { steps, end: `nothing broke up to ${half(number)}: ${most.because}` };
    if (now() - began > longestMs)
      return { steps, end: `nothing broke up to ${half(number)}: the minute was over` };
    try {
      const measured = await step(number);
      steps.push(measured);
      if (isBrokenWhenSlow && (measured.p99Ms ?? 0) > slowMs)
        return { steps, end: `with ${shown} the p99 is above ${slowMs / 1_000} s` };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { steps, end: `with ${shown}: ${why}` };
    }
  }
}

function half(number: number): string {
  return (number / 2).toLocaleString('en');
}
