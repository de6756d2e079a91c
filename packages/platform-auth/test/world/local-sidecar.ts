import { Writable } from 'node:stream';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import { createLogger } from '@steward/service-kit/log/logger';
import { Secret } from '@steward/service-kit/secret';
import type { SessionStatus } from '@steward/shared/sidecar/health';
import { Changes } from '@steward/testing/changes';
import { Places } from '../../src/download/names/places.ts';
import type { LibraryProxy } from '../../src/platform/library-proxy.ts';
import { SteamPlatform } from '../../src/platform/steam-platform.ts';
import { composeSidecar, type Sidecar } from '../../src/sidecar.ts';
import { through } from './through.ts';
import { wholeGame } from './whole-game.ts';

export interface LocalSidecarOptions {
  readonly platform: Platform;
  readonly directory: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  readonly secret?: string;
  readonly proxy?: LibraryProxy;
  readonly compat?: 'none' | 'existing';
  readonly clock?: Clock;
  readonly spreadSeconds?: number;
  /** Two with one account and one number replace each other's session. */
  readonly logonId?: number;
  /** What the deadlines on the platform's answers go by. */
  readonly platformClock?: Clock;
  readonly rests?: () => void;
}

/** The service inside the test's own process, over the real libraries; its clock can be the test's. */
export class LocalSidecar implements AsyncDisposable {
  readonly sidecar: Sidecar;
  /** But what is logged of requests. */
  readonly log: readonly string[];
  readonly #game: Disposable;

  readonly #changes: Changes;

  private constructor(sidecar: Sidecar, game: Disposable, changes: Changes, log: readonly string[]) {
    this.sidecar = sidecar;
    this.log = log;
    this.#game = game;
    this.#changes = changes;
  }

  static async start(options: LocalSidecarOptions): Promise<LocalSidecar> {
    const { platform, directory, username, clock = systemClock } = options;
    const steam = new SteamPlatform({
      proxy: options.proxy ?? through(platform.proxyUrl),
      logonId: options.logonId ?? 1,
      clock: options.platformClock ?? systemClock,
    });
    const game = wholeGame();
    const changes = new Changes();
    const log: string[] = [];
    const sidecar = composeSidecar({
      game: {
        places: new Places(game.path),
        download: async () => Promise.reject(new Error('there is nothing to download')),
        complete: async () => false,
        stage: async () => Promise.reject(new Error('there is nothing to download')),
        publish: async () => Promise.reject(new Error('there is nothing to publish')),
      },
      configuration: {
        PLATFORM_USERNAME: username,
        PLATFORM_PASSWORD: secretOf(options.password),
        PLATFORM_REFRESH_TOKEN: secretOf(options.token),
        INSTANCE_NAME: '',
        PLATFORM_LOGIN_SPREAD: options.spreadSeconds ?? 0,
        PLATFORM_AUTH_SECRET: secretOf(options.secret),
        SESSION_DIR: directory,
        PLATFORM_COMPAT: options.compat ?? 'none',
        PLATFORM_BRANCH: 'public',
        PLATFORM_DOWNLOAD: 'on',
      },
      platform: steam,
      clock,
      random: () => 0,
      rests: options.rests ?? (() => {}),
      logger: createLogger('test', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, tellingOf(changes, log)),
    });
    await sidecar.check();
    await sidecar.start();
    return new LocalSidecar(sidecar, game, changes, log);
  }

  /** Over the network, too. Resolves to the port. */
  async listen(): Promise<string> {
    return new URL(await this.sidecar.app.listen({ host: '127.0.0.1', port: 0 })).port;
  }

  get(url: string, headers: Record<string, string> = {}) {
    return this.sidecar.app.inject({ url, headers });
  }

  put(url: string, payload: object) {
    return this.sidecar.app.inject({ url, method: 'PUT', payload });
  }

  async status(): Promise<SessionStatus> {
    return (await this.get('/health')).json().session;
  }

  async until(wanted: SessionStatus['state']): Promise<SessionStatus> {
    return this.statusWhere(({ state }) => state === wanted);
  }

  /** Asks again at each line of the log, which tells of whatever changes. */
  statusWhere(wanted: (status: SessionStatus) => boolean): Promise<SessionStatus> {
    let last: SessionStatus | undefined;
    const look = async () => {
      last = await this.status();
      return wanted(last) ? last : undefined;
    };
    const missing = () => `the session never came to be as wanted: ${JSON.stringify(last)}`;
    return this.#changes.until(look, { missing });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sidecar.stop();
    this.#game[Symbol.dispose]();
  }
}

/** Each line of the log but those of requests is a change. */
function tellingOf(changes: Changes, log: string[]): Writable {
  return new Writable({
    write(line, _encoding, done) {
      if (!String(line).includes('"requestId"')) {
        log.push(String(line));
        changes.told();
      }
      done();
    },
  });
}

function secretOf(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}
