import { afterAll, beforeAll, expect, it } from 'vitest';
import { stormOver } from './chaos/chaos-run.ts';
import { ChaosWorld } from './chaos/chaos-world.ts';
import { deck } from './chaos/faults.ts';

const limitMs = 120_000;

/** A crashed farm comes back with another lobby: what was a code before leads nowhere. */
const faults = deck.filter(({ name }) => name === 'farm crashed').slice(0, 1);
const brief = { seed: 1, decks: 1, faults } as const;

/** One for all of them: each looks at it with eyes of its own. */
let world: ChaosWorld;
beforeAll(async () => {
  world = await ChaosWorld.create({ mode: 'listen', seed: 1 });
  await world.setUpAndStart();
});
afterAll(() => world[Symbol.asyncDispose]());

it.each([
  ['wrong decision', /was let in with it/],
  ['lost record', /and the map says: nobody's/],
  ['dead code', /has been dead for \d+ ms, and is shown/],
] as const)('the run fails on a control API with a %s', { timeout: limitMs }, async (inject, violation) => {
  await world.inject(inject);
  await expect(stormOver(world, brief)).rejects.toThrow(violation);
});

it('and does not on one without', { timeout: limitMs }, async () => {
  await world.inject('');
  expect(await stormOver(world, brief)).toMatchObject({ faults: 1 });
});
