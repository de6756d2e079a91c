import { count, seed } from '@steward/testing/scale';
import { expect, it } from 'vitest';
import { runChaos } from './chaos/chaos-run.ts';
import { deck } from './chaos/faults.ts';
import { runToItsEnd } from './chaos/run-to-its-end.ts';
import type { Tally } from './chaos/tally.ts';

/** Some three storms each, or fifteen at the long counts, after each of which one player by each door gets in. */
const decks = count({ small: 1, long: 10 });
/** At small counts the two share a deck. */
const shares = count({ small: 2, long: 1 });
const least = {
  joins: count({ small: 80, long: 2_000 }),
  faults: count({ small: 21, long: 1_000 }),
  kills: count({ small: 1, long: 100 }),
} as const;

it(
  'nobody gets another’s farmhand, no claim is lost and no dead code shown, whatever goes wrong, and all is back soon',
  async (context) => {
    const runs = await allOf(
      (['listen', 'spawn'] as const).map((mode, own) => {
        const faults = deck.filter((_, index) => index % shares === own % shares);
        return runToItsEnd(context, (signal) => runChaos({ mode, seed, signal, decks, faults }));
      }),
    );
    process.stdout.write(`chaos, seed ${seed}\n${runs.map(({ line }) => `  ${line}\n`).join('')}`);
    const sum = (of: (run: (typeof runs)[number]) => number) => runs.reduce((all, run) => all + of(run), 0);
    expect(sum(({ joins }) => joins)).toBeGreaterThanOrEqual(least.joins);
    expect(sum(({ faults }) => faults)).toBeGreaterThanOrEqual(least.faults);
    for (const process of ['platform', 'sidecar', 'control API', 'farm'])
      expect(sum(({ kills }) => kills[process] ?? 0)).toBeGreaterThanOrEqual(least.kills);
  },
  count({ small: 600_000, long: 7_200_000 }),
);

/** Both systems side by side; neither is left running when the other has failed. */
async function allOf(runs: readonly Promise<Tally>[]): Promise<readonly Tally[]> {
  await Promise.allSettled(runs);
  return Promise.all(runs);
}
