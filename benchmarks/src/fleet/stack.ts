import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { nodeOptionsOf, type ServiceName } from '@steward/tools/bundle/services';
import { controlApiEnvironment } from '../server-process.ts';
import { freePort } from '../start/started.ts';

/** What the images of one farm ship, and the game that stands in. */
export interface Programs {
  readonly api: string;
  readonly sidecar: string;
  readonly game: string;
}

export interface Service {
  readonly pid: number;
  readonly origin: string;
}

const lookMs = 1_000;
/** On a busy machine fifty starts at once take minutes. */
const joinableWithinMs = 600_000;

/** Both services of one farm as their images start them, each farm with its account, and a game that the control API starts. */
export class Stack {
  readonly api: Service;
  readonly sidecar: Service;
  readonly directory: string;
  readonly #children: readonly ChildProcess[];

  private constructor(directory: string, children: readonly ChildProcess[], origins: readonly string[]) {
    const [sidecar, api] = children.map(({ pid = 0 }, index) => ({ pid, origin: origins[index] ?? '' }));
    if (sidecar === undefined || api === undefined) throw new Error('a stack has two services');
    this.directory = directory;
    this.api = api;
    this.sidecar = sidecar;
    this.#children = children;
  }

  static async start(programs: Programs, platform: Platform, name: string, root: string): Promise<Stack> {
    const directory = join(root, name);
    const state = join(directory, 'state');
    mkdirSync(state, { recursive: true });
    const [sidecarPort, apiPort] = [String(await freePort()), String(await freePort())];
    const origins = [sidecarPort, apiPort].map((port) => `http://127.0.0.1:${port}`);
    const sidecar = run('platform-auth', programs.sidecar, {
      HOST: '127.0.0.1',
      PORT: sidecarPort,
      SESSION_DIR: join(directory, 'session'),
      GAME_DIR: join(root, 'game'),
      PLATFORM_DOWNLOAD: 'off',
      PLATFORM_USERNAME: name,
      // As a farm that was set up: only logins by a password are counted that strictly.
      PLATFORM_REFRESH_TOKEN: platform.refreshToken(name),
      PLATFORM_PROXY: platform.proxyUrl,
      NODE_EXTRA_CA_CERTS: platform.caFile,
    });
    const api = run('control-api', programs.api, {
      ...controlApiEnvironment(state, apiPort),
      PLATFORM_AUTH_URL: origins[0],
      GAME_BRIDGE: 'spawn',
      GAME_MARKER: '',
      GAME_COMMAND: JSON.stringify([process.execPath, programs.game]),
      GAME_ENV: 'FARM_*',
      FARM_SAVES_DIR: join(directory, 'saves'),
      FARM_CONTROL: join(directory, 'farm.sock'),
      FARM_TICKET_KEY: platform.ticketKey.toString('hex'),
      INSTANCE_NAME: name,
    });
    return new Stack(directory, [sidecar, api], origins);
  }

  get services(): readonly Service[] {
    return [this.api, this.sidecar];
  }

  async joinable(): Promise<void> {
    const deadline = performance.now() + joinableWithinMs;
    while (!(await isJoinable(this.api.origin))) {
      if (this.#children.some(hasEnded)) throw new Error('a service of the fleet ended');
      if (performance.now() > deadline) throw new Error(`players cannot join the farm in ${this.directory}`);
      await pause(lookMs);
    }
  }

  async stop(): Promise<void> {
    for (const child of this.#children.toReversed()) {
      if (hasEnded(child)) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function run(service: ServiceName, main: string, environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [...nodeOptionsOf(service), main], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function isJoinable(origin: string): Promise<boolean> {
  try {
    const status = (await (await fetch(`${origin}/status`)).json()) as { isJoinable?: boolean };
    return status.isJoinable === true;
  } catch {
    return false;
  }
}
