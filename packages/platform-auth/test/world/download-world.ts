import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { PlatformOptions } from '@steward/platform-emulator/platform-options';
import type { Platform } from '@steward/platform-emulator/running-platform';
import type { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { PublishedGame } from './published-game.ts';
import { runInTurn } from './run-command.ts';

export const entry = 'packages/platform-auth/src/main.ts';
export const ann = { name: 'ann', password: 'pass-word-of-ann', owns: [gameAppId] };

/** A platform with a game, and an empty GAME_DIR that the command downloads it to. */
export class DownloadWorld implements AsyncDisposable {
  readonly platform: Platform;
  readonly #directory = temporaryDirectory();

  private constructor(platform: Platform) {
    this.platform = platform;
  }

  static async start(game: PublishedGame, options: Partial<PlatformOptions> = {}): Promise<DownloadWorld> {
    const world = new DownloadWorld(await startPlatform({ accounts: [ann], ...options }));
    game.on(world.platform);
    return world;
  }

  get game(): string {
    return join(this.#directory.path, 'game');
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      SESSION_DIR: join(this.#directory.path, 'session'),
      GAME_DIR: this.game,
      PLATFORM_PROXY: this.platform.proxyUrl,
      NODE_EXTRA_CA_CERTS: this.platform.caFile,
      PLATFORM_USERNAME: 'ann',
      PLATFORM_REFRESH_TOKEN: this.platform.refreshToken('ann'),
    };
  }

  async run(flags: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
    await using program = new Program(entry, ['download', ...flags], { ...this.environment, ...environment });
    const { code } = await program.exited;
    return { code, stdout: program.stdout, stderr: program.stderr.join('\n') };
  }

  /** The same beside others in one process, where the process is not what is tested. */
  inTurn(commands: CommandsInTurn, flags: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
    return runInTurn(commands, ['download', ...flags], { ...this.environment, ...environment });
  }

  /** How many chunks were asked for so far. */
  get chunks(): number {
    return this.platform.record.count({ kind: 'chunk' });
  }

  /** The ids of the chunks that were asked for, after the first so many. */
  chunkIds(after = 0): readonly string[] {
    const requests = this.platform.record.matching({ kind: 'chunk' }).slice(after);
    return requests.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.platform.close();
    this.#directory[Symbol.dispose]();
  }
}
