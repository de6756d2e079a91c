import { cpSync } from 'node:fs';
import type { Depot } from '@steward/platform-emulator/depot/depot';
import {
  buildGame,
  buildSdk,
  type GamePlan,
  gameAppId,
  sdkAppId,
} from '@steward/platform-emulator/depot/game/build-game';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { DownloadEvents } from '../../src/download/progress/progress.ts';
import {
  type DownloadChoice,
  type DownloadParts,
  downloadTree,
  planDownload,
} from '../../src/download/run/download.ts';
import { depotsForLinux, expectedTree, type Tree, treeOn } from './game-tree.ts';
import { LocalContent } from './local-content.ts';
import { twoVersions } from './small-depots.ts';

export const quiet: DownloadEvents = {
  stage() {},
  checkBegins() {},
  checked() {},
  planned() {},
  fetched() {},
  written() {},
  warning() {},
};

const never = new AbortController().signal;
const date = new Date('2026-11-21T06:30:00.000Z');

interface Expected {
  readonly withSdk?: boolean;
  readonly keepsToo?: (name: string) => boolean;
}

interface Built {
  readonly linux: readonly Depot[];
  readonly sdk: readonly Depot[];
}

const built = new Map<string, Built>();

function builtOnce(game: Omit<GamePlan, 'format'>): Built {
  const key = JSON.stringify(game);
  const known = built.get(key) ?? {
    linux: depotsForLinux(buildGame({ ...game, format: 'zstd' })),
    sdk: [buildSdk(game.seed)],
  };
  built.set(key, known);
  return known;
}

/** A GAME_DIR and a platform in the same process. */
export class LocalDownload implements Disposable {
  readonly content = new LocalContent();
  readonly #directory = temporaryDirectory();
  #depots: readonly Depot[] = [];
  #sdk: readonly Depot[] = [];

  constructor(game?: Omit<GamePlan, 'format'>) {
    if (game !== undefined) this.publish(game);
  }

  /** With a game of a dozen files, for tests that are not about its files. */
  static small(): LocalDownload {
    const world = new LocalDownload();
    const [first] = twoVersions();
    world.#depots = [first];
    world.content.publish(gameAppId, world.#depots);
    return world;
  }

  /** The same tree in another GAME_DIR, for which nothing is published yet. */
  copy(): LocalDownload {
    const copy = new LocalDownload();
    const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
    cpSync(this.directory, copy.directory, options);
    return copy;
  }

  get directory(): string {
    return this.#directory.path;
  }

  publish(game: Omit<GamePlan, 'format'>): void {
    const { linux, sdk } = builtOnce(game);
    this.#depots = linux;
    this.#sdk = sdk;
    this.content.publish(gameAppId, this.#depots);
    this.content.publish(sdkAppId, this.#sdk);
  }

  choice(choice: Partial<DownloadChoice> = {}): DownloadChoice {
    const { path: gameDirectory } = this.#directory;
    const usual = { languages: [], keepFiles: [], skipSdk: false, verify: false, again: false };
    return { gameDirectory, ...usual, ...choice };
  }

  parts(parts: Partial<DownloadParts> = {}): DownloadParts {
    const here = { catalogue: this.content, chunks: this.content, events: quiet, signal: never };
    return { ...here, now: () => date, command: 'download', ...parts };
  }

  run(choice: Partial<DownloadChoice> = {}, parts: Partial<DownloadParts> = {}) {
    return downloadTree(this.choice(choice), this.parts(parts));
  }

  plan(choice: Partial<DownloadChoice> = {}) {
    return planDownload(this.choice(choice), this.parts());
  }

  /** The chunks that were fetched since the last call. */
  takeFetched(): readonly string[] {
    return this.content.fetched.splice(0);
  }

  get tree(): Tree {
    return treeOn(this.directory);
  }

  expected(languages: readonly string[] = [], more: Expected = {}): Tree {
    const { withSdk = true, keepsToo = () => false } = more;
    return expectedTree(this.#depots, languages, withSdk ? this.#sdk : [], keepsToo);
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}
