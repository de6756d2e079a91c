import { fileURLToPath } from 'node:url';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { type SidecarHealth, sidecarHealth } from '@steward/shared/sidecar/health';
import { Program } from '@steward/testing/program';
import { wholeGame } from './whole-game.ts';

const service = 'packages/platform-auth/src/main.ts';
const fastService = 'packages/platform-auth/test/world/fast-sidecar.ts';
/** Always the source: how long a turn of its event loop may be was measured there. */
const measuredService = fileURLToPath(new URL('fast-sidecar.ts', import.meta.url));
const pollMs = 20;
const healthDeadlineMs = 60_000;

/** The service in front of an emulated platform: as it is, or with a fast clock where CLOCK_SPEED is given. */
export class SidecarProcess implements AsyncDisposable {
  readonly program: Program;
  readonly origin: string;
  readonly #game: Disposable;

  private constructor(program: Program, origin: string, game: Disposable) {
    this.program = program;
    this.origin = origin;
    this.#game = game;
  }

  static async start(
    platform: Pick<Platform, 'proxyUrl' | 'caFile'>,
    environment: NodeJS.ProcessEnv,
    entry = environment['CLOCK_SPEED'] === undefined ? service : fastService,
  ): Promise<SidecarProcess> {
    const game = wholeGame();
    const program = new Program(entry, [], {
      HOST: '127.0.0.1',
      PORT: '0',
      GAME_DIR: game.path,
      PLATFORM_PROXY: platform.proxyUrl,
      NODE_EXTRA_CA_CERTS: platform.caFile,
      ...environment,
    });
    try {
      const [, origin = ''] = await program.line(/listening on (http:\S+?)["\s]/);
      return new SidecarProcess(program, origin, game);
    } catch (error) {
      await program[Symbol.asyncDispose]();
      game[Symbol.dispose]();
      throw error;
    }
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.origin}${path}`, { headers });
  }

  /** One with a fast clock whose turns are measured. */
  static measured(
    platform: Pick<Platform, 'proxyUrl' | 'caFile'>,
    environment: NodeJS.ProcessEnv,
  ): Promise<SidecarProcess> {
    return SidecarProcess.start(platform, environment, measuredService);
  }

  post(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.origin}${path}`, { method: 'POST', headers });
  }

  put(path: string, body: unknown): Promise<Response> {
    return fetch(`${this.origin}${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async health(): Promise<SidecarHealth> {
    return sidecarHealth.parse(await (await this.get('/health')).json());
  }

  /** Asks until /health says what is wanted, as a container's health check would. */
  async healthWhere(wanted: (health: SidecarHealth) => boolean): Promise<SidecarHealth> {
    const deadline = AbortSignal.timeout(healthDeadlineMs);
    for (;;) {
      const health = await this.health();
      if (wanted(health)) return health;
      if (deadline.aborted) throw new Error(`/health never came to be as wanted: ${JSON.stringify(health)}`);
      await nextPoll();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    this.#game[Symbol.dispose]();
  }
}

function nextPoll(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(() => resolve(), pollMs);
  return promise;
}
