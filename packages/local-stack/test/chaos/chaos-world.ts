import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FarmState } from '@steward/simulated-game/saves/farm-state';
import { SaveFolders } from '@steward/simulated-game/saves/save-store';
import { freePort } from '@steward/testing/free-port';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { aborted } from './aborted.ts';
import { FarmOrders } from './farm-orders.ts';
import type { PlatformRun } from './platform-run.ts';
import { account, PlatformWard } from './platform-ward.ts';
import { type Conditions, type Mode, programs, type Surroundings } from './programs.ts';
import { SpawnedFarm } from './spawned-farm.ts';
import { speeds } from './speeds.ts';
import { type Strikable, Ward } from './ward.ts';

export interface ChaosOptions {
  readonly mode: Mode;
  readonly seed: number;
  /** Of the test: once its time is over nobody else ends what was started. */
  readonly signal: AbortSignal;
  /** What is wrong with the control API, where something shall be. */
  readonly inject?: string;
  /** When the platform gives a new token for an old one. */
  readonly renewal?: PlatformRun['renewal'];
  readonly conditions?: (place: Place) => Promise<Conditions>;
  /** Whose platform and sidecar it has, where it is about the others: it starts and ends neither. */
  readonly beside?: ChaosWorld;
}

/** Where the processes of a run live. */
export type Place = Pick<Surroundings, 'directory' | 'ports'>;

/** Platform, sidecar, control API and farm, each a process of its own that can be struck; nothing is set up yet. */
export class ChaosWorld implements AsyncDisposable {
  readonly mode: Mode;
  readonly platform: PlatformWard;
  readonly sidecar: Ward;
  readonly api: Ward;
  readonly farm: Strikable;
  readonly orders: FarmOrders;
  readonly #surroundings: Surroundings;
  readonly #dialling: Ward | undefined;
  readonly #isGuest: boolean;
  readonly #directory: ReturnType<typeof temporaryDirectory>;
  readonly #signal: AbortSignal;

  private constructor(
    surroundings: Surroundings,
    directory: ReturnType<typeof temporaryDirectory>,
    signal: AbortSignal,
    beside: ChaosWorld | undefined,
  ) {
    const { mode, platform } = surroundings;
    this.#isGuest = beside !== undefined;
    this.mode = mode;
    this.platform = platform;
    this.#directory = directory;
    this.#signal = signal;
    this.#surroundings = surroundings;
    this.orders = new FarmOrders(join(directory.path, 'control.sock'));
    writeFileSync(
      join(directory.path, 'server-settings.json'),
      '{"Server":{"AllowIpConnections":true,"MaxPlayers":100}}',
    );
    this.sidecar = beside?.sidecar ?? new Ward('sidecar', () => programs.sidecar(this.#surroundings));
    this.api = new Ward('control API', () => programs.controlApi(this.#surroundings));
    this.#dialling =
      mode === 'listen' ? new Ward('farm', () => programs.farm(this.#surroundings)) : undefined;
    this.farm = this.#dialling ?? new SpawnedFarm(this.api);
  }

  static async create({
    mode,
    seed,
    signal,
    inject = '',
    renewal = 'near-expiry',
    conditions: prepare,
    beside,
  }: ChaosOptions): Promise<ChaosWorld> {
    const ports = {
      ...(beside === undefined
        ? { proxy: await freePort(), sidecar: await freePort() }
        : beside.#surroundings.ports),
      api: await freePort(),
    };
    const directory = temporaryDirectory();
    const { path } = directory;
    const conditions = await prepare?.({ directory: path, ports });
    const told = { seed: `chaos ${seed}`, ticketPauseMs: 60_000 / speeds.sidecar, renewal };
    const platform = beside?.platform ?? (await PlatformWard.create(path, ports.proxy, told));
    const surroundings = { mode, ports, inject, directory: path, platform, conditions };
    return new ChaosWorld(surroundings, directory, signal, beside);
  }

  /** A fresh system from nothing: the platform is there, the operator runs `setup`, then everything starts. */
  setUpAndStart(): Promise<void> {
    return Promise.race([this.#setUpAndStart(), this.failure]);
  }

  async #setUpAndStart(): Promise<void> {
    if (!this.#isGuest) await this.#setUp();
    await Promise.all([...(this.#isGuest ? [] : [this.sidecar.start()]), this.api.start()]);
    await this.#dialling?.start();
  }

  /** Platform and sidecar alone, for whoever is beside it. */
  async signIn(): Promise<void> {
    await this.#setUp();
    await this.sidecar.start();
  }

  async #setUp(): Promise<void> {
    await this.platform.start();
    await using setup = programs.setup(this.#surroundings, account);
    const { code } = await Promise.race([setup.exited, this.failure]);
    if (code !== 0) throw new Error(`setup ended with ${code}: ${setup.stderr.join('\n')}`);
  }

  /** Rejects once one of them is gone that nobody has ended, or the test has no more time. */
  get failure(): Promise<never> {
    const { platform, sidecar, api } = this;
    const wards = [platform, sidecar, api, ...(this.#dialling === undefined ? [] : [this.#dialling])];
    return Promise.race([aborted(this.#signal), ...wards.map((ward) => ward.failure)]);
  }

  /** Somebody has asked a farm that was not started by the control API to stop: it comes back, as under Docker. */
  async farmStartsAgain(signal: AbortSignal): Promise<void> {
    await this.#dialling?.startAgain(signal);
  }

  /** The directory in which the control API keeps what it keeps. */
  get state(): string {
    return join(this.#directory.path, 'state');
  }

  get wards(): readonly Strikable[] {
    return [this.platform, this.sidecar, this.api, this.farm];
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#surroundings.ports.api}`;
  }

  /** The farm's own save and the ownership map, as they are on the disk; undefined before they are. */
  get save(): FarmState | undefined {
    return new SaveFolders({ directory: join(this.#directory.path, 'saves') }).load();
  }

  get ownershipMap(): string | undefined {
    const farms = join(this.state, 'farms');
    const [farm = ''] = names(farms);
    return textOf(join(farms, farm, 'farmhand-ownership.json'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The control API takes a farm that it has started along.
    const own = this.#isGuest ? [] : [this.sidecar, this.platform];
    for (const ward of [this.#dialling, this.api, ...own]) await ward?.stop();
    await this.#surroundings.conditions?.[Symbol.asyncDispose]();
    this.#directory[Symbol.dispose]();
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function names(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
