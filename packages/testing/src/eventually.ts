import { setTimeout as pause } from 'node:timers/promises';
import type { Patience } from './changes.ts';

const everyMs = 50;
const patienceMs = 60_000;

/** For what tells nobody when it changes: looks again and again. Whatever can be awaited is awaited, by `Changes`. */
export async function eventually<Found>(
  look: () => Promise<Found | undefined>,
  { withinMs = patienceMs, missing }: Patience,
): Promise<Found> {
  const deadline = AbortSignal.timeout(withinMs);
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (deadline.aborted) throw new Error(missing());
    await pause(everyMs);
  }
}
