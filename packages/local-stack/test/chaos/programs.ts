import { join } from 'node:path';
import { Program, programFile } from '@steward/testing/program';
import type { PlatformWard } from './platform-ward.ts';
import { speeds } from './speeds.ts';
import { started } from './started.ts';

export const key = 'k3y';

export type Mode = 'listen' | 'spawn';

/** What the processes of one run share. */
export interface Surroundings {
  readonly mode: Mode;
  readonly directory: string;
  readonly ports: { readonly proxy: number; readonly sidecar: number; readonly api: number };
  readonly platform: PlatformWard;
  readonly inject: string;
  readonly conditions: Conditions | undefined;
}

/** What a run puts around the processes beyond what each of them needs, and takes away after the last has ended. */
export interface Conditions extends AsyncDisposable {
  readonly sidecarEntry: string;
  /** Asked at each start; it goes before what the process would have been told. */
  environmentOf(process: Surrounded): NodeJS.ProcessEnv;
  /** What Node is told for it. */
  nodeOptionsOf(process: Surrounded): readonly string[];
}

/** Around which a run may put something. */
export type Surrounded = 'sidecar' | 'controlApi' | 'farm';

const sidecarEntry = 'packages/platform-auth/test/world/fast-sidecar.ts';

const farmEntry = 'packages/simulated-game/src/main.ts';
const farmFile = programFile(farmEntry);

/** How each process is started, as its operator would configure it, but for the clocks. */
export const programs = {
  setup({ directory, platform }: Surroundings, { name, password }: { name: string; password: string }) {
    return new Program('packages/platform-auth/src/main.ts', ['setup'], {
      ...ofThePlatform(directory, platform),
      PLATFORM_USERNAME: name,
      PLATFORM_PASSWORD: password,
    });
  },

  sidecar({ directory, ports, platform, conditions }: Surroundings): Promise<Program> {
    const environment = {
      ...ofThePlatform(directory, platform),
      CLOCK_SPEED: String(speeds.sidecar),
      HOST: '127.0.0.1',
      PORT: String(ports.sidecar),
      ...conditions?.environmentOf('sidecar'),
    };
    const entry = conditions?.sidecarEntry ?? sidecarEntry;
    return listening(entry, environment, conditions?.nodeOptionsOf('sidecar'));
  },

  controlApi({ mode, directory, ports, platform, inject, conditions }: Surroundings): Promise<Program> {
    const environment = {
      ...common,
      CLOCK_SPEED: String(speeds.controlApi),
      INJECT: inject,
      API_HOST: '127.0.0.1',
      API_PORT: String(ports.api),
      API_KEY: key,
      STATE_DIR: join(directory, 'state'),
      SETTINGS_PATH: join(directory, 'server-settings.json'),
      PLATFORM_AUTH_URL: `http://127.0.0.1:${ports.sidecar}`,
      GAME_BRIDGE: mode,
      GAME_MARKER: '',
      GAME_ENV: 'FARM_*,LOG_FORMAT,NODE_COMPILE_CACHE',
      ...(mode === 'listen'
        ? {}
        : { ...ofTheFarm(directory, platform), GAME_COMMAND: JSON.stringify([process.execPath, farmFile]) }),
      ...conditions?.environmentOf('controlApi'),
    };
    const entry = 'packages/local-stack/test/chaos/entries/fast-control-api.ts';
    return listening(entry, environment, conditions?.nodeOptionsOf('controlApi'));
  },

  async farm({ directory, platform, conditions }: Surroundings): Promise<Program> {
    const FARM_BRIDGE = `unix:${join(directory, 'state', 'game.sock')}`;
    const environment = {
      ...ofTheFarm(directory, platform),
      ...common,
      FARM_BRIDGE,
      ...conditions?.environmentOf('farm'),
    };
    return new Program(farmEntry, [], environment, { nodeOptions: conditions?.nodeOptionsOf('farm') ?? [] });
  },
};

function listening(
  entry: string,
  environment: NodeJS.ProcessEnv,
  nodeOptions: readonly string[] = [],
): Promise<Program> {
  return started(new Program(entry, [], environment, { nodeOptions }), /listening on http:/);
}

const common = { LOG_FORMAT: 'json' } as const;

function ofThePlatform(directory: string, { proxyUrl, caFile }: PlatformWard): NodeJS.ProcessEnv {
  return {
    ...common,
    SESSION_DIR: join(directory, 'session'),
    GAME_DIR: join(directory, 'game'),
    PLATFORM_PROXY: proxyUrl,
    NODE_EXTRA_CA_CERTS: caFile,
  };
}

function ofTheFarm(directory: string, { ticketKey }: PlatformWard): NodeJS.ProcessEnv {
  return {
    FARM_SAVES_DIR: join(directory, 'saves'),
    FARM_CONTROL: join(directory, 'control.sock'),
    FARM_TICKET_KEY: ticketKey,
    FARM_PACE: String(speeds.farm),
    FARM_SEED: 'chaos',
  };
}
