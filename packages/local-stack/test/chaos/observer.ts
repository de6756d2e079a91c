import { setTimeout as pause } from 'node:timers/promises';
import { type Farm, type Status, StewardError, steward } from '@steward/client';
import { MachinePace } from '@steward/testing/machine-pace';
import type { ChaosWorld } from './chaos-world.ts';
import { CodeWatch } from './code-watch.ts';
import { FarmEye } from './farm-eye.ts';
import { key } from './programs.ts';
import { promised } from './speeds.ts';
import { type Codes, workingCodes } from './way-truth.ts';

/** What is promised is promised within seconds; each look is a request to every process of the system. */
const everyMs = 100;
/** A player takes up to a minute of the farm's time to make a farmhand, and machines are busy. */
const makingMs = 20_000;

const patienceMs = 2_000;

interface Look {
  readonly working: Codes | undefined;
  readonly status: Status | undefined;
}

export interface ObserverOptions {
  /** Whether a machine that is slow may show a dead code for longer; it may where nothing is said. */
  readonly sparesSlowMachine?: boolean;
}

/** Looks on from outside, all the time: at the farm, the platform, the disk, and at what the control API makes of them. */
export class Observer implements AsyncDisposable {
  readonly eye: FarmEye;
  readonly codes: CodeWatch;
  readonly #pace = new MachinePace();
  readonly #world: ChaosWorld;
  readonly #farm: Farm;
  #looks = 0;
  #last: Look = { working: undefined, status: undefined };
  #stopped = false;
  /** What ended its watch: whoever waits for the next look would do so for ever. */
  #trouble: unknown;
  readonly #watching: Promise<void>;

  constructor(world: ChaosWorld, { sparesSlowMachine = true }: ObserverOptions = {}) {
    this.#world = world;
    this.codes = new CodeWatch(() => promised.withdrawnMs * (sparesSlowMachine ? this.#pace.slowness : 1));
    this.#farm = steward({ url: world.origin, key, timeoutMs: patienceMs, retries: 0 });
    this.eye = new FarmEye(world);
    this.#watching = this.#watch().catch((error: unknown) => {
      this.#trouble = error;
    });
  }

  get violations(): readonly string[] {
    return [...this.eye.owners.violations, ...this.codes.violations];
  }

  get looks(): number {
    return this.#looks;
  }

  /** Throws with the first thing that must never be. */
  check(): void {
    const [violation] = this.violations;
    if (violation !== undefined) throw new Error(violation);
  }

  /** Both codes work and are shown, and nothing keeps players out. */
  async back(): Promise<Required<Codes>> {
    const began = performance.now();
    await this.eye.open();
    for (;;) {
      await this.nextLook();
      this.check();
      const { working, status } = this.#last;
      if (working?.network !== undefined && working.platform !== undefined && isWell(working, status))
        return { network: working.network, platform: working.platform };
      const withinMs = promised.recoversMs * this.#pace.slowness;
      if (performance.now() - began > withinMs)
        throw new Error(`not back within ${Math.round(withinMs)} ms: ${this.#standing}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.eye.stop();
    await this.#watching;
    this.#pace[Symbol.dispose]();
  }

  /** The farmhand is there, and no longer a slot in which somebody makes one. */
  async made(farmhandId: string): Promise<void> {
    const deadline = AbortSignal.timeout(makingMs);
    while (!this.eye.owners.all.some(({ id }) => id === farmhandId)) {
      if (deadline.aborted) throw new Error(`nobody has made farmhand ${farmhandId} within ${makingMs} ms`);
      await pause(everyMs / 2);
    }
  }

  /** Everything has been looked at once more, from now on. */
  async nextLook(): Promise<void> {
    const seen = this.#looks;
    // The one that is under way may have begun before whatever is waited for.
    while (this.#looks < seen + 2) {
      if (this.#trouble !== undefined) throw this.#trouble;
      // Who went on waiting, at once and again, would let nobody else come to anything.
      if (this.#stopped) throw new Error('nobody looks on any more');
      await pause(everyMs / 2);
    }
  }

  /** What was seen last, and what each process that could keep it from being well has said last. */
  get #standing(): string {
    const { api, sidecar } = this.#world;
    const last = [api, sidecar].map(
      ({ name, running, output }) =>
        `${name} ${running ? 'runs' : 'is down'}: ${output.slice(-5).join('\n')}`,
    );
    return [JSON.stringify(this.#last, null, 1), ...last].join('\n');
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      const working = await workingCodes(this.#world);
      const at = performance.now();
      const status = await shownStatus(this.#farm);
      this.#last = { working, status };
      if (working !== undefined && status !== undefined) this.codes.look(working, codesOf(status), at);
      const { save } = this.#world;
      if (save !== undefined) this.eye.owners.compare(save, this.#world.ownershipMap);
      this.#looks += 1;
      await pause(everyMs);
    }
  }
}

/** What the control API shows; undefined while it does not answer, or says that it stops. */
async function shownStatus(farm: Farm): Promise<Status | undefined> {
  try {
    return await farm.getStatus();
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    if ((error.status ?? 0) < 400 || error.problem?.retry === true) return undefined;
    throw error;
  }
}

function codesOf({ gogInviteCode, steamInviteCode }: Status): readonly string[] {
  return [gogInviteCode, steamInviteCode].filter((code) => code !== undefined);
}

function isWell(working: Codes, status: Status | undefined): boolean {
  return (
    status?.gogInviteCode === working.network &&
    status?.steamInviteCode === working.platform &&
    status?.obstacles.length === 0
  );
}
