import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Mood } from './stage/model-game.ts';
import type { Reach } from './stage/model-sidecar.ts';
import { ModelWorld } from './stage/model-world.ts';

type Happening = fc.AsyncCommand<object, ModelWorld>;

/** Something happens, and then time passes. */
function happening(name: string, happen: (world: ModelWorld) => void) {
  return fc.integer({ min: 0, max: 25_000 }).map(
    (ms): Happening => ({
      check: () => true,
      async run(_model, world) {
        happen(world);
        await world.pass(ms);
      },
      toString: () => `${name}, then ${ms} ms`,
    }),
  );
}

function sidecarBecomes(reach: Reach) {
  return happening(`the sidecar ${reach}`, ({ sidecar }) => {
    sidecar.reach = reach;
  });
}

function gameBecomes(mood: Mood) {
  return happening(`the game ${mood}`, ({ game }) => {
    game.mood = mood;
  });
}

const happenings = [
  happening('the sidecar restarts', ({ sidecar }) => sidecar.restart()),
  happening('the session is lost', ({ sidecar }) => sidecar.sessionLost()),
  happening('the platform goes', ({ sidecar }) => {
    sidecar.platformIsUp = false;
    sidecar.sessionLost();
  }),
  happening('the platform comes back', ({ sidecar }) => {
    sidecar.platformIsUp = true;
  }),
  happening('the platform closes the lobby', ({ sidecar }) => sidecar.platformClosesLobby()),
  ...(['answers', 'refuses', 'is silent', 'talks nonsense'] as const).map(sidecarBecomes),
  happening('the game starts', ({ game }) => {
    if (!game.truth.connected) game.start();
  }),
  happening('the game dies', ({ game }) => game.die()),
  happening('the game restarts', ({ game }) => {
    game.die();
    game.start();
  }),
  happening('the network goes', ({ game }) => game.outage(true)),
  happening('the network comes back', ({ game }) => game.outage(false)),
  happening('the network drops the lobby', ({ game }) => game.loseLobby()),
  ...(['willing', 'refuses', 'is silent'] as const).map(gameBecomes),
];

it('shows no code that does not work, never hammers, and is whole again once the last fault is over', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.commands(happenings, { maxCommands: 25 }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      async (commands, chance) => {
        const world = new ModelWorld(() => chance);
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
        await world.recovers();
        world.invites.stop();
      },
    ),
    { numRuns: count({ small: 70, long: 5_000 }), endOnFailure: true },
  );
});

it('keeps the G code through everything that leaves the lobby alone', async () => {
  const world = new ModelWorld(() => 0);
  world.game.start();
  await world.pass(10_000);
  const { network, platform } = world.invites.status.codes;
  expect(platform?.slice(1)).toBe(network?.slice(1));
  for (const strike of [
    () => world.sidecar.restart(),
    () => world.sidecar.sessionLost(),
    () => {
      world.sidecar.reach = 'is silent';
    },
    () => world.sidecar.platformClosesLobby(),
  ]) {
    strike();
    for (let time = 0; time < 80; time += 1) {
      await world.pass(1_000);
      expect(world.invites.status.codes.network).toBe(network);
    }
    await world.recovers();
    expect(world.invites.status.codes).toEqual({ platform, network });
  }
  world.invites.stop();
});
