import type { App } from './catalogue/catalogue.ts';
import { buildGame, buildSdk, gameAppId, sdkAppId } from './depot/game/build-game.ts';

/** The game, as large as one likes, and the redistributable that its server needs; the latter is free for everyone. */
export function demoApps(seed: string, gameBytes: number): App[] {
  const depots = Object.values(buildGame({ seed, bytes: gameBytes }));
  return [
    { appId: gameAppId, name: 'Farm Game', depots: depots.map((depot) => ({ depot })) },
    { appId: sdkAppId, name: 'SDK Redistributable', free: true, depots: [{ depot: buildSdk(seed) }] },
  ];
}
