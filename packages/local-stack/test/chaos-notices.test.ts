import { afterAll, beforeAll, expect, it } from 'vitest';
import { runChaos } from './chaos/chaos-run.ts';
import { ChaosWorld } from './chaos/chaos-world.ts';
import { deck } from './chaos/faults.ts';
import { runToItsEnd } from './chaos/run-to-its-end.ts';

/** On a machine that does much else; alone it takes a tenth. */
const limitMs = 300_000;

/** A crashed farm comes back with another lobby: what was a code before leads nowhere. */
const faults = deck.filter(({ name }) => name === 'farm crashed').slice(0, 1);
const brief = { mode: 'listen', seed: 1, decks: 1, faults } as const;

/** Of all runs, as nothing happens to either: a setup and two starts took the processor longer than the rest of a run. */
let beside: ChaosWorld;
beforeAll(async () => {
  beside = await ChaosWorld.create({ ...brief, signal: new AbortController().signal });
  await beside.signIn();
});
afterAll(() => beside[Symbol.asyncDispose]());

it.for([
  ['wrong decision', /was let in with it/],
  ['lost record', /and the map says: nobody's/],
  ['dead code', /has been dead for \d+ ms, and is shown/],
] as const)(
  'the run fails on a control API with a %s',
  { timeout: limitMs },
  async ([inject, violation], context) => {
    // What is wrong stays so: for a dead code nobody need wait until a slow machine would have had its time, too.
    const run = runToItsEnd(context, (signal) =>
      runChaos({ ...brief, beside, signal, inject, sparesSlowMachine: false }),
    );
    await expect(run).rejects.toThrow(violation);
  },
);

it('and does not on one without', { timeout: limitMs }, async (context) => {
  const run = runToItsEnd(context, (signal) => runChaos({ ...brief, beside, signal }));
  expect(await run).toMatchObject({ faults: 1 });
});
