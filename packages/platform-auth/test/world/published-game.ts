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
import { twoVersions } from './small-depots.ts';

let small: readonly [PublishedGame, PublishedGame] | undefined;

/** Up to this size, chunks are compressed once for all that download them. */
const keptBytes = 16_000_000;

/** The builder's game as the platform offers it, among depots for others; and what a download of it is to end as. */
export class PublishedGame {
  readonly #all: readonly Depot[];
  readonly #linux: readonly Depot[];
  readonly #sdk: Depot;

  /** A plan of the builder's, or a game of one depot. */
  constructor(game: GamePlan | Depot) {
    if ('chunk' in game) {
      this.#all = [game];
      this.#linux = [game];
      this.#sdk = buildSdk('small');
      return;
    }
    const isSmall = game.bytes <= keptBytes;
    const built = buildGame(isSmall ? { chunkStore: chunksInMemory, ...game } : game);
    this.#all = Object.values(built);
    this.#linux = depotsForLinux(built);
    this.#sdk = buildSdk(game.seed);
  }

  /** A game of a dozen files in two versions, for tests that are not about its files. */
  static small(): readonly [PublishedGame, PublishedGame] {
    small ??= twoVersions().map((depot) => new PublishedGame(depot)) as [PublishedGame, PublishedGame];
    return small;
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
