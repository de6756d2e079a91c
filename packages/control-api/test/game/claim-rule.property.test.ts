import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Interleaving, type Step, steps } from './stage/interleaving.ts';

/** Rare steps would otherwise drown the deliveries that lead anywhere. */
const weighted = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Step>('to game', 'to api') },
  { weight: 2, arbitrary: fc.constantFrom<Step>('run a', 'run b', 'run without key', 'dial') },
  { weight: 3, arbitrary: fc.constantFrom<Step>(...steps) },
);

it('keeps the claim rule however messages are frozen, delayed, doubled, swapped or lost in a crash', async ({
  annotate,
}) => {
  const tried = new Set<string>();
  const seen = { applied: 0, void: 0, undone: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(weighted, { minLength: 10, maxLength: 60 }), async (script) => {
      const play = new Interleaving();
      await play.start();
      for (const step of script) await play.step(step);
      await play.heal();
      tried.add(script.join());

      const { game, store, voided, applied } = play;
      expect(play.isSettled, 'every outcome is settled once the game is back').toBe(true);
      for (const id of game.applications) {
        expect(game.applications.filter((other) => other === id).length, 'one command is applied once').toBe(
          1,
        );
      }
      for (const { id, applicationsThen } of voided) {
        expect(game.applications.indexOf(id), 'void is never applied afterwards').toBeLessThan(
          applicationsThen,
        );
        expect(game.has(id), 'void is not applied').toBe(false);
      }
      for (const id of applied) expect(game.applications).toContain(id);
      for (const { id, state } of store.kept.values()) {
        if (state === 'void') expect(game.has(id), 'what is kept as void is not applied').toBe(false);
        if (state === 'applied') expect(game.applications).toContain(id);
        if (state === 'applied') seen.applied += 1;
        if (state === 'void') seen.void += 1;
        if (state === 'void' && game.applications.includes(id)) seen.undone += 1;
      }
    }),
    { numRuns: count({ small: 400, long: 100_000 }) },
  );
  await annotate(`${tried.size} interleavings: ${JSON.stringify(seen)}`);
  expect(tried.size).toBeGreaterThan(count({ small: 350, long: 90_000 }));
  // The script space does reach each kind of end.
  expect(Math.min(seen.applied, seen.void, seen.undone)).toBeGreaterThan(0);
}, 900_000);
