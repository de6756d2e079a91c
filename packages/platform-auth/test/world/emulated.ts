import { startPlatform } from '@steward/platform-emulator/platform';
import type { PlatformOptions } from '@steward/platform-emulator/platform-options';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { trust } from '@steward/platform-emulator/trust';
import { Secret } from '@steward/service-kit/secret';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { SessionStore } from '../../src/tokens/session-store.ts';
import { PublishedGame } from './published-game.ts';

export const gameApp = 413_150;

const accounts = [
  { name: 'ann', password: 'pass-of-ann', owns: [gameApp] },
  { name: 'bob', password: 'pass-of-bob', owns: [gameApp] },
  {
    name: 'guarded',
    password: 'pass-of-guarded',
    owns: [gameApp],
    guards: ['device-code', 'device-confirmation'],
  },
] as const;

/** An emulated platform that this process trusts, and a directory for sessions. */
export class Emulated implements AsyncDisposable {
  readonly platform: Platform;
  readonly #directory = temporaryDirectory();
  readonly #game = temporaryDirectory();
  readonly store = new SessionStore({
    directory: this.directory,
    clock: { date: () => new Date() },
    report: () => {},
  });

  private constructor(platform: Platform) {
    this.platform = platform;
  }

  static async start(options: Partial<PlatformOptions> = {}): Promise<Emulated> {
    const platform = await startPlatform({ accounts, ...options });
    if (options.apps === undefined) PublishedGame.small()[0].on(platform);
    trust(platform);
    return new Emulated(platform);
  }

  get directory(): string {
    return this.#directory.path;
  }

  /** For GAME_DIR. */
  get gameDirectory(): string {
    return this.#game.path;
  }

  /** As another process would that logged in. */
  async saveSession(account: string, token = this.platform.refreshToken(account)): Promise<string> {
    await this.store.save({ username: account, token: new Secret(token) });
    return token;
  }

  async savedToken(account: string): Promise<string | undefined> {
    return (await this.store.find(account))?.token.reveal();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.platform.close();
    this.#directory[Symbol.dispose]();
    this.#game[Symbol.dispose]();
  }
}
