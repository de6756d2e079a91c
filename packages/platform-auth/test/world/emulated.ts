import { demoApps } from '@steward/platform-emulator/demo-apps';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { PlatformOptions } from '@steward/platform-emulator/platform-options';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { trust } from '@steward/platform-emulator/trust';
import { Secret } from '@steward/service-kit/secret';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { SessionStore } from '../../src/tokens/session-store.ts';

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

let built: ReturnType<typeof demoApps> | undefined;

/** What a setup downloads: enough to be a game, and made once. */
function smallGame(): ReturnType<typeof demoApps> {
  built ??= demoApps('emulated', 300_000);
  return built;
}

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
    const platform = await startPlatform({ accounts, apps: smallGame(), ...options });
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
