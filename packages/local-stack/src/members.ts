import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { variables } from '@steward/control-api/configuration';
import { nodeOptions as apiOptions } from '@steward/control-api/entries';
import { nodeOptions as sidecarOptions } from '@steward/platform-auth/entries';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { OperatorError } from '@steward/service-kit/process/errors';
import { longestPath } from '@steward/simulated-game/control/order-line';
import { z } from 'zod';
import type { Member, Service } from './member.ts';
import { loopback } from './ports.ts';
import type { RunningMember } from './running-member.ts';

export interface Ports {
  readonly controlApi: number;
  readonly dashboard: number;
  readonly platformAuth: number;
}

/** The farm's lines are kept and shown as its own words. Node warns of a process that is told both about colour. */
const plainLog = ['env', '-u', 'FORCE_COLOR', 'LOG_FORMAT=pretty', 'NO_COLOR=1'];

/** What the farm reads; a game gets nothing that is not named. */
const farmVariables = 'FARM_*,LOG_LEVEL';

/** More than the control API takes to stop besides the drain and the game's save. */
const apiStopsAfterMs = 30_000;

/** People enough that some are there, each kind of client among them; by address nobody comes, as it is not open. */
const visitors = '8';

/** Where the members write in a stack's folder, which also has the folders of stacks at other ports, and maybe what is somebody's own. */
const places = {
  session: 'platform-session',
  game: 'game',
  state: 'control-api',
  settings: 'server-settings.json',
  farm: 'farm',
  backups: 'backups',
} as const;

/** Deletes what earlier starts have kept in this folder, and nothing else. */
export function forget(state: string): void {
  for (const place of Object.values(places)) rmSync(join(state, place), { recursive: true, force: true });
}

/** Everything but the command line is as an operator would configure it. */
export const platformEmulator: Member = {
  name: 'platform',
  entry: program('@steward/platform-emulator/main'),
  nodeOptions: ['--disable-sigusr1'],
  args: ['--json'],
  environment: {},
};

export function platformAuth({ platformAuth: port }: Ports, state: string, platform: Emulated): Service {
  return {
    name: 'platform-auth',
    entry: program('@steward/platform-auth/main'),
    nodeOptions: sidecarOptions,
    environment: {
      HOST: loopback,
      PORT: String(port),
      SESSION_DIR: join(state, places.session),
      GAME_DIR: join(state, places.game),
      PLATFORM_PROXY: platform.proxyUrl,
      NODE_EXTRA_CA_CERTS: platform.caFile,
      PLATFORM_REFRESH_TOKEN: platform.refreshToken,
    },
    health: `http://${loopback}:${port}/health`,
  };
}

/** With the simulated farm, which the control API starts as it would start a game. */
export function controlApi(
  { controlApi: port, dashboard, platformAuth: sidecar }: Ports,
  state: string,
  platform: Emulated,
  key: string | undefined,
): Service {
  const saves = join(state, places.farm, 'saves');
  return {
    name: 'control-api',
    entry: program('@steward/control-api/main'),
    nodeOptions: apiOptions,
    environment: {
      API_HOST: loopback,
      API_PORT: String(port),
      ...(key === undefined ? {} : { API_KEY: key }),
      DASHBOARD_PORT: String(dashboard),
      STATE_DIR: join(state, places.state),
      SETTINGS_PATH: join(state, places.settings),
      PLATFORM_AUTH_URL: `http://${loopback}:${sidecar}`,
      GAME_BRIDGE: 'spawn',
      // The simulated farm has no files to wait for.
      GAME_MARKER: '',
      GAME_COMMAND: JSON.stringify([...plainLog, process.execPath, program('@steward/simulated-game/main')]),
      GAME_ENV: [farmVariables, process.env['GAME_ENV']].filter(Boolean).join(','),
      FARM_SAVES_DIR: saves,
      GAME_SAVES_DIR: saves,
      BACKUP_DIR: join(state, places.backups),
      FARM_CONTROL: farmControl(state),
      FARM_TICKET_KEY: platform.ticketKey,
      FARM_VISITORS: process.env['FARM_VISITORS'] || visitors,
    },
    health: `http://${loopback}:${port}/health`,
    stopLimitMs: apiStopLimitMs(),
  };
}

/** Longer than the control API's own limit, so that it leaves by itself: whoever kills it loses the farm's day. */
export function apiStopLimitMs(): number {
  const { STOP_DRAIN_SECONDS, GAME_STOP_TIMEOUT } = variables;
  const seconds = readConfiguration({ STOP_DRAIN_SECONDS, GAME_STOP_TIMEOUT }, process.env);
  return (seconds.STOP_DRAIN_SECONDS + seconds.GAME_STOP_TIMEOUT) * 1_000 + apiStopsAfterMs;
}

/** Where `npm run farm` finds the farm. */
export function farmControl(state: string): string {
  return join(state, places.farm, 'control.sock');
}

/** The farm would end with the name of a variable that nobody here has set. */
export function checkLength(state: string): void {
  const path = farmControl(state);
  const length = Buffer.byteLength(path);
  if (length <= longestPath) return;
  throw new OperatorError(
    `${path} is too long for the farm's socket: ${length} bytes, and ${longestPath} are possible. Give a shorter path: npm start -- --state <directory>`,
  );
}

function program(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

/** How the emulated platform is reached, and with which account. */
export interface Emulated {
  readonly proxyUrl: string;
  readonly caFile: string;
  readonly ticketKey: string;
  readonly refreshToken: string;
}

const howToReach = z.object({
  proxyUrl: z.string(),
  caFile: z.string(),
  ticketKey: z.string(),
  accounts: z.tuple([z.object({ refreshToken: z.string() })]),
});

/** The emulator's one line of output says how to reach it, secrets included: it is read here and shown nowhere. */
export async function reach(emulator: RunningMember): Promise<Emulated> {
  const line = await emulator.firstLine;
  if (line === undefined) throw new OperatorError(`${emulator.name} ended; its log says why`);
  const { accounts, ...rest } = howToReach.parse(JSON.parse(line));
  return { ...rest, refreshToken: accounts[0].refreshToken };
}
