import { expect, it } from 'vitest';
import { runChaos } from './chaos/chaos-run.ts';

const limitMs = 120_000;

/** One storm is enough to see each of them; the second is there in case the first strikes nothing that shows it. */
const brief = { mode: 'listen', seed: 11, decks: 1, faultsADeck: 4 } as const;

it.each([
  ['wrong decision', /was let in with it/],
  ['lost record', /and the map says: nobody's/],
  ['dead code', /has been dead for \d+ ms, and is shown/],
] as const)('the run fails on a control API with a %s', { timeout: limitMs }, async (inject, violation) => {
  await expect(runChaos({ ...brief, inject })).rejects.toThrow(violation);
});

it('and does not on one without', { timeout: limitMs }, async () => {
  expect(await runChaos(brief)).toMatchObject({ faults: 4 });
});
