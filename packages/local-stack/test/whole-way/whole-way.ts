import { join } from 'node:path';
import { type Status, steward } from '@steward/client';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { giveOrder } from '@steward/simulated-game/control/order-line';
import { Changes } from '@steward/testing/changes';
import { freePort } from '@steward/testing/free-port';
import { Program, programFile } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { account, accounts, fastSidecar, gameApp } from '../stage/fast-sidecar.ts';
import { isOfRequest } from '../stage/log-lines.ts';

export const secret = 'a-secret-between-the-two-services';

/** The sidecar looks after its lobby every minute; here every two seconds. */
const sidecarSpeed = '30';
/** The farm tries again every twenty seconds; here every one. */
const farmPace = '20';

export interface WholeWayOptions {
  /** Another farm's, which closes it. */
  readonly platform?: Platform;
  /** What the sidecar's machine is called; this one's name otherwise. */
  readonly machine?: string;
  /** How many times as fast the sidecar's clock runs. */
  readonly speed?: string;
}

/** Everything between a ticket and a joined player, each a process of its own but for the platform. */
export class WholeWay implements AsyncDisposable {
  readonly platform: Platform;
  readonly #options: WholeWayOptions;
  readonly #directory = temporaryDirectory();
  readonly #sidecarPort: string;
  readonly #programs: Program[] = [];
  readonly #changes = new Changes();
  readonly controlApi: Program;
  sidecar: Program;
  #origin = '';

  private constructor(platform: Platform, sidecarPort: string, options: WholeWayOptions) {
    this.platform = platform;
    this.#options = options;
    this.#sidecarPort = sidecarPort;
    this.sidecar = this.startSidecar();
    const game = programFile('packages/simulated-game/src/main.ts');
    this.controlApi = new Program('packages/control-api/src/main.ts', [], {
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      STATE_DIR: join(this.#directory.path, 'state'),
      SETTINGS_PATH: join(this.#directory.path, 'server-settings.json'),
      PLATFORM_AUTH_URL: `http://127.0.0.1:${sidecarPort}`,
      PLATFORM_AUTH_SECRET: secret,
      GAME_BRIDGE: 'spawn',
      GAME_MARKER: '',
      GAME_ENV: 'FARM_*',
      GAME_COMMAND: JSON.stringify([process.execPath, game]),
      FARM_SAVES_DIR: join(this.#directory.path, 'saves'),
      FARM_CONTROL: this.#farmControl,
      FARM_TICKET_KEY: platform.ticketKey.toString('hex'),
      FARM_PACE: farmPace,
    });
    this.#kept(this.controlApi).onLine((line) => {
      if (!isOfRequest(line)) this.#changes.told();
    });
  }

  static async start(options: WholeWayOptions = {}): Promise<WholeWay> {
    const platform = options.platform ?? (await startPlatform({ accounts }));
    const way = new WholeWay(platform, String(await freePort()), options);
    const [, origin = ''] = await way.controlApi.line(/listening on (http:\S+?)["\s]/);
    way.#origin = origin;
    return way;
  }

  startSidecar(): Program {
    const { machine = '', speed = sidecarSpeed } = this.#options;
    this.sidecar = this.#kept(
      fastSidecar(
        { platform: this.platform, directory: this.#directory.path, speed, secret, port: this.#sidecarPort },
        { MACHINE_NAME: machine },
      ),
    );
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
    return await steward({ url: this.#origin }).getStatus();
  }

  async metrics(): Promise<string> {
    return await steward({ url: this.#origin }).getMetrics();
  }

  /** Asks again at each step that the log tells of, until /status is as wanted; each answer on the way is shown to `watch`. */
  statusWhere(
    wanted: (status: Status) => boolean,
    withinMs: number,
    watch: (status: Status) => void = () => {},
  ): Promise<Status> {
    let last: Status | undefined;
    const look = async () => {
      last = await this.status();
      watch(last);
      return wanted(last) ? last : undefined;
    };
    const missing = () => `/status never came to be as wanted: ${JSON.stringify(last)}`;
    return this.#changes.until(look, { withinMs, missing });
  }

  /** Tells the farm something; what it answers. */
  async farm(name: string, ...words: string[]): Promise<string> {
    const printed: string[] = [];
    await giveOrder(this.#farmControl, name, words, (line) => printed.push(line));
    return printed.join('\n');
  }

  get #farmControl(): string {
    return join(this.#directory.path, 'farm.sock');
  }

  #kept(program: Program): Program {
    this.#programs.push(program);
    return program;
  }

  /** Each time other codes work than before, in the words of the log. */
  get codesTold(): readonly string[] {
    return this.controlApi.stdout.filter((line) =>
      /players join with the code|no invite code works/.test(line),
    );
  }

  /** All that was logged, by everybody. */
  get log(): string {
    return this.#programs.flatMap(({ stdout, stderr }) => [...stdout, ...stderr]).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.controlApi.kill('SIGTERM');
    await this.controlApi.exited;
    for (const program of this.#programs) await program[Symbol.asyncDispose]();
    if (this.#options.platform === undefined) await this.platform.close();
    this.#directory[Symbol.dispose]();
  }
}
