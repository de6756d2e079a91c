import { type Clock, settledWithin, systemClock } from '@steward/service-kit/clock';
import type { Growth, GrowthStep } from '../page/growth-row.ts';

/** For each thing that is doubled. */
const longestMs = 60_000;

/** A step that takes longer never ends, or as good as never; the last one begins within the minute and may take its time. */
const stuckMs = 300_000;

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

export interface Doubled extends Pick<Growth, 'steps' | 'held' | 'broke'> {
  /** How it ended, in words. */
  readonly end: string;
}

/** Doubles until a step fails or is slow, the machine has no more, or the minute is over; says which in words. */
export async function doubled(
  { from, most, step, isBrokenWhenSlow = true }: Doubling,
  clock: Pick<Clock, 'now' | 'after'> = systemClock,
): Promise<Doubled> {
  const steps: GrowthStep[] = [];
  const began = clock.now();
  const stuck = () => new Error(`it was not over within ${stuckMs / 60_000} minutes`);
  for (let number = from; ; number *= 2) {
    const shown = number.toLocaleString('en');
    const held = number === from ? 0 : number / 2;
    const holds = (because: string) => ({
      steps,
      held,
      end: `nothing broke up to ${held.toLocaleString('en')}: ${because}`,
    });
    if (number > most.number) return holds(most.because);
    if (clock.now() - began > longestMs) return holds('the minute was over');
    try {
      const measured = await settledWithin(step(number), stuckMs, clock, stuck);
      steps.push(measured);
      if (isBrokenWhenSlow && (measured.p99Ms ?? 0) > slowMs)
        return { steps, held, broke: number, end: `with ${shown} the p99 is above ${slowMs / 1_000} s` };
    } catch (error) {
      // It did not break by growing: nothing is known of it.
      if (steps.length === 0) throw error;
      const why = error instanceof Error ? error.message : String(error);
      return { steps, held, broke: number, end: `with ${shown}: ${why}` };
    }
  }
}
