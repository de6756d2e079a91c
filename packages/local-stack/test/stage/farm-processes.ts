import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Farmhands, steward } from '@steward/client';
import { giveOrder } from '@steward/simulated-game/control/order-line';
import { Changes } from '@steward/testing/changes';
import { eventually } from '@steward/testing/eventually';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { isOfRequest } from './log-lines.ts';

export const key = 'k3y';

interface FarmOptions {
  /** How many times faster than the real game. */
  readonly pace?: string;
}

// A new character is there within half a second.
const usualPace = '100';

type Farmhand = Farmhands['farmhands'][number];

/** Emulator, sidecar, control API and simulated farm, each a process of its own; the control API can be killed. */
export async function farmProcesses({ pace = usualPace }: FarmOptions = {}) {
  const directory = temporaryDirectory();
  const state = join(directory.path, 'state');
  const settings = join(directory.path, 'server-settings.json');
  const control = join(directory.path, 'control.sock');
  mkdirSync(state);
  writeFileSync(settings, '{"Server":{"AllowIpConnections":true,"MaxPlayers":100}}');

  const emulator = new Program('packages/platform-emulator/src/main.ts', ['--json', '--game-mb', '1']);
  const [line] = await emulator.line(/^\{.*\}$/);
  const { proxyUrl, caFile, ticketKey, accounts } = JSON.parse(line) as {
    proxyUrl: string;
    caFile: string;
    ticketKey: string;
    accounts: { refreshToken: string }[];
  };
  const sidecar = new Program('packages/platform-auth/src/main.ts', [], {
    HOST: '127.0.0.1',
    PORT: '0',
    SESSION_DIR: join(directory.path, 'session'),
    GAME_DIR: join(directory.path, 'game'),
    PLATFORM_PROXY: proxyUrl,
    NODE_EXTRA_CA_CERTS: caFile,
    PLATFORM_REFRESH_TOKEN: accounts[0]?.refreshToken ?? '',
    // Nobody plays it here.
    PLATFORM_DOWNLOAD: 'off',
    LOG_FORMAT: 'json',
  });
  const [, sidecarUrl = ''] = await sidecar.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);

  const changes = new Changes();
  const startApi = async () => {
    const program = new Program('packages/control-api/src/main.ts', [], {
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      API_KEY: key,
      STATE_DIR: state,
      SETTINGS_PATH: settings,
      PLATFORM_AUTH_URL: sidecarUrl,
      LOG_FORMAT: 'json',
    });
    program.onLine((line) => {
      if (!isOfRequest(line)) changes.told();
    });
    const [, url = ''] = await program.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
    return { program, url, farm: steward({ url, key }) };
  };
  let api = await startApi();
  const farm = new Program('packages/simulated-game/src/main.ts', [], {
    FARM_BRIDGE: `unix:${join(state, 'game.sock')}`,
    FARM_SAVES_DIR: join(directory.path, 'saves'),
    FARM_CONTROL: control,
    FARM_TICKET_KEY: ticketKey,
    FARM_PACE: pace,
    FARM_SEED: 'owners',
    LOG_LEVEL: 'silent',
  });

  const farmhands = async () => (await api.farm.listFarmhands()).farmhands;

  return {
    state,
    farmhands,
    get url() {
      return api.url;
    },
    /** As a bot asks it. */
    get farm() {
      return api.farm;
    },
    get api() {
      return api.program;
    },
    /** Gives an order as `npm run farm` does, and returns what it prints. */
    async order(...words: readonly string[]): Promise<string> {
      const printed: string[] = [];
      const [order = '', ...rest] = words;
      await giveOrder(control, order, rest, (text) => printed.push(text));
      return printed.join('\n');
    },
    /** The farm is hosted, all of it is known, and it has a code. */
    async open(): Promise<void> {
      await changes.until(async () => (await api.farm.getStatus()).gogInviteCode, {
        missing: () => 'the farm never had a code',
      });
    },
    /** The farmhand by that name, once its player has made it; no line tells of that. */
    farmhand(name: string): Promise<Farmhand> {
      return eventually(
        async () => (await farmhands()).find((each) => each.name === name && each.isCustomized),
        { missing: () => `there is no ${name}` },
      );
    },
    async stopApi(signal: NodeJS.Signals): Promise<void> {
      api.program.kill(signal);
      await api.program.exited;
    },
    async startApi(): Promise<void> {
      api = await startApi();
    },
    async [Symbol.asyncDispose]() {
      for (const program of [farm, api.program, sidecar, emulator]) await program[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}
