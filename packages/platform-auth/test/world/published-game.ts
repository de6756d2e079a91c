import { chunksInMemory } from '@steward/platform-emulator/depot/chunk-store';
import type { Depot } from '@steward/platform-emulator/depot/depot';
import {
  buildGame,
  buildSdk,
  type GamePlan,
  gameAppId,
  sdkAppId,
} from '@steward/platform-emulator/depot/game/build-game';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { depotsForLinux, expectedTree, type Tree } from './game-tree.ts';

/** Up to this size, chunks are compressed once for all that download them. */
const keptBytes = 10_000_000;

/** The builder's game as the platform offers it, among depots for others; and what a download of it is to end as. */
export class PublishedGame {
  readonly #all: readonly Depot[];
  readonly #linux: readonly Depot[];
  readonly #sdk: Depot;

  constructor(plan: GamePlan) {
    const isSmall = plan.bytes <= keptBytes;
    const game = buildGame(isSmall ? { chunkStore: chunksInMemory, ...plan } : plan);
    this.#all = Object.values(game);
    this.#linux = depotsForLinux(game);
    this.#sdk = buildSdk(plan.seed);
  }

  on(platform: Platform): void {
    const depots = this.#all.map((depot) => ({ depot }));
    platform.publish({ appId: gameAppId, name: 'game', depots });
    platform.publish({ appId: sdkAppId, name: 'SDK', free: true, depots: [{ depot: this.#sdk }] });
  }

  expected(languages: readonly string[] = []): Tree {
    return expectedTree(this.#linux, languages, [this.#sdk], () => false);
  }
}
