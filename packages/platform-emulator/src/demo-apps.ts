import type { App } from './catalogue/catalogue.ts';
import { chunksInMemory } from './depot/chunk-store.ts';
import { buildGame, buildSdk, gameAppId, sdkAppId } from './depot/game/build-game.ts';

/** A game up to this size is kept in memory as it is served; of a larger one each chunk is made anew for whoever asks. */
const mostKeptBytes = 64_000_000;

/** The game, as large as one likes, and the redistributable that its server needs; the latter is free for everyone. */
export function demoApps(seed: string, gameBytes: number): App[] {
  const depots = Object.values(
    buildGame({
      seed,
      bytes: gameBytes,
      ...(gameBytes <= mostKeptBytes ? { chunkStore: chunksInMemory } : {}),
    }),
  );
  return [
    { appId: gameAppId, name: 'Farm Game', depots: depots.map((depot) => ({ depot })) },
    { appId: sdkAppId, name: 'SDK Redistributable', free: true, depots: [{ depot: buildSdk(seed) }] },
  ];
}
