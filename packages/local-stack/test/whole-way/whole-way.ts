import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { freePort } from '@steward/testing/free-port';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { z } from 'zod';

const gameApp = 413_150;
const account = 'host';
export const secret = 'a-secret-between-the-two-services';

/** The sidecar looks after its lobby every minute; here every two seconds. */
const sidecarSpeed = '30';
/** The farm tries again every twenty seconds; here every one. */
const farmPace = '20';
const pollMs = 50;

const statusAnswer = z.object({
  steamInviteCode: z.string().optional(),
  gogInviteCode: z.string().optional(),
  inviteWay: z.array(
    z.object({ step: z.string(), state: z.string(), reason: z.string(), since: z.string() }),
  ),
});

export type Status = z.infer<typeof statusAnswer>;

/** Everything between a ticket and a joined player, each a process of its own but for the platform. */
export class WholeWay implements AsyncDisposable {
  readonly platform: Platform;
  readonly #directory = temporaryDirectory();
  readonly #sidecarPort: string;
  readonly #programs: Program[] = [];
  readonly controlApi: Program;
  sidecar: Program;
  #origin = '';

  private constructor(platform: Platform, sidecarPort: string) {
    this.platform = platform;
    this.#sidecarPort = sidecarPort;
    this.sidecar = this.startSidecar();
    const dist = (name: string) => fileURLToPath(import.meta.resolve(`@steward/${name}/main`));
    const sources = /\/src\/main\.ts$/;
    this.controlApi = this.#run('packages/control-api/dist/main.js', {
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      STATE_DIR: join(this.#directory.path, 'state'),
      SETTINGS_PATH: join(this.#directory.path, 'server-settings.json'),
      PLATFORM_AUTH_URL: `http://127.0.0.1:${sidecarPort}`,
      PLATFORM_AUTH_SECRET: secret,
      GAME_BRIDGE: 'spawn',
      GAME_MARKER: '',
      GAME_COMMAND: JSON.stringify([
        process.execPath,
        dist('simulated-game').replace(sources, '/dist/main.js'),
      ]),
      FARM_SAVE: join(this.#directory.path, 'farm.json'),
      FARM_CONTROL: this.#farmControl,
      FARM_TICKET_KEY: platform.ticketKey.toString('hex'),
      FARM_PACE: farmPace,
    });
  }

  static async start(): Promise<WholeWay> {
    const platform = await startPlatform({
      accounts: [{ name: account, password: 'pass-of-host', owns: [gameApp] }],
    });
    const way = new WholeWay(platform, String(await freePort()));
    const [, origin = ''] = await way.controlApi.line(/listening on (http:\S+?)["\s]/);
    way.#origin = origin;
    return way;
  }

  startSidecar(): Program {
    this.sidecar = this.#run('packages/platform-auth/test/world/fast-sidecar.ts', {
      NODE_OPTIONS: '--conditions=source',
      CLOCK_SPEED: sidecarSpeed,
      HOST: '127.0.0.1',
      PORT: this.#sidecarPort,
      SESSION_DIR: join(this.#directory.path, 'session'),
      GAME_DIR: join(this.#directory.path, 'game'),
      PLATFORM_PROXY: this.platform.proxyUrl,
      NODE_EXTRA_CA_CERTS: this.platform.caFile,
      PLATFORM_REFRESH_TOKEN: this.platform.refreshToken(account),
      PLATFORM_AUTH_SECRET: secret,
    });
    return this.sidecar;
  }

  /** What strangers find on the platform. */
  get listed() {
    return this.platform.lobbies.listed(gameApp);
  }

  kick(eresult: number): void {
    this.platform.kick(account, eresult);
  }

  async status(): Promise<Status> {
    return statusAnswer.parse(await (await fetch(`${this.#origin}/status`)).json());
  }

  async metrics(): Promise<string> {
    return (await fetch(`${this.#origin}/metrics`)).text();
  }

  /** Asks until /status is as wanted; each answer on the way is shown to `watch`. */
  async statusWhere(
    wanted: (status: Status) => boolean,
    limitMs: number,
    watch: (status: Status) => void = () => {},
  ): Promise<Status> {
    const deadline = AbortSignal.timeout(limitMs);
    for (;;) {
      const status = await this.status();
      watch(status);
      if (wanted(status)) return status;
      if (deadline.aborted) throw new Error(`/status never came to be as wanted: ${JSON.stringify(status)}`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** Tells the farm something; what it answers. */
  async farm(...order: string[]): Promise<string> {
    await using program = new Program('packages/simulated-game/dist/farm.js', order, {
      FARM_CONTROL: this.#farmControl,
    });
    await program.exited;
    return [...program.stdout, ...program.stderr].join('\n');
  }

  get #farmControl(): string {
    return join(this.#directory.path, 'farm.sock');
  }

  #run(entry: string, environment: NodeJS.ProcessEnv): Program {
    const program = new Program(entry, [], environment);
    this.#programs.push(program);
    return program;
  }

  /** All that was logged, by everybody. */
  get log(): string {
    return this.#programs.flatMap(({ stdout, stderr }) => [...stdout, ...stderr]).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.controlApi.kill('SIGTERM');
    await this.controlApi.exited;
    for (const program of this.#programs) await program[Symbol.asyncDispose]();
    await this.platform.close();
    this.#directory[Symbol.dispose]();
  }
}
