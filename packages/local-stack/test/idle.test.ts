import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';

// What the programs cost while nobody asks them anything: by the turns of their loops, which no other load on the machine changes,
// and by the processor's time.

const watched = fileURLToPath(new URL('idle/watched.mjs', import.meta.url));

interface Idle {
  readonly name: string;
  readonly entry: string;
  readonly args?: readonly string[];
  /** Where it keeps things is its own. */
  readonly environment?: (directory: string) => NodeJS.ProcessEnv;
  /** What it says when it is up. */
  readonly up: RegExp;
  readonly turnsASecond: number;
}

/** Each a second of the loop's and the processor's. */
interface Window {
  readonly turns: number;
  readonly cpuMs: number;
}

/** The metrics look at the loop's delay every 10 ms. */
const lookingAtDelays = 100;
const mostCpuMs = 40;
/** What a start leaves V8 to tidy up is done within two or three; whatever turns for good has no quiet one. */
const mostWindows = 8;

const idle: readonly Idle[] = [
  {
    name: 'the emulator',
    entry: 'packages/platform-emulator/src/main.ts',
    args: ['--game-mb', '1'],
    up: /The platform emulator is up/,
    turnsASecond: 0,
  },
  {
    name: 'the control API without a game',
    entry: 'packages/control-api/src/main.ts',
    environment: (directory) => ({
      API_PORT: '0',
      STATE_DIR: directory,
      SETTINGS_PATH: join(directory, 'settings.json'),
      PLATFORM_AUTH_URL: '',
    }),
    up: /listening/,
    turnsASecond: lookingAtDelays,
  },
  {
    name: 'the sidecar without an account',
    entry: 'packages/platform-auth/src/main.ts',
    environment: (directory) => ({ PORT: '0', SESSION_DIR: directory, GAME_DIR: join(directory, 'game') }),
    up: /listening/,
    turnsASecond: lookingAtDelays,
  },
  {
    name: 'a farm without visitors, which has sixty ticks a second,',
    entry: 'packages/simulated-game/src/main.ts',
    environment: (directory) => ({
      FARM_BRIDGE: `unix:${join(directory, 'nobody.sock')}`,
      FARM_SAVES_DIR: join(directory, 'saves'),
      FARM_CONTROL: join(directory, 'control.sock'),
    }),
    up: /nobody\.sock/,
    turnsASecond: 60,
  },
];

it.concurrent.for(idle)(
  '$name turns its loop no oftener than it has to, and takes 4 % of a core at most',
  async (program, { expect }) => {
    const { entry, args, environment, up, turnsASecond } = program;
    using directory = temporaryDirectory();
    const env = { NODE_OPTIONS: `--import ${watched}`, ...environment?.(directory.path) };
    await using running = new Program(entry, args, env);
    await running.line(up);
    running.kill('SIGUSR2');
    const windows: Window[] = [];
    // Every program looks after something now and then.
    const isQuiet = ({ turns, cpuMs }: Window) => turns <= turnsASecond * 1.2 + 10 && cpuMs <= mostCpuMs;
    while (windows.length < mostWindows && !windows.some(isQuiet)) {
      const [, told = ''] = await running.line(/watched (.*)/, { number: windows.length + 1 });
      windows.push(JSON.parse(told));
    }
    expect(windows).toContainEqual(expect.toSatisfy(isQuiet));
  },
);

describe('a health check loads no fetch, which costs more than all the rest of it:', () => {
  it.each([
    ['the emulator', 'packages/platform-emulator/src/main.ts', ['--check', '--port', '2']],
    ['the control API', 'packages/control-api/src/main.ts', ['healthcheck']],
    ['the sidecar', 'packages/platform-auth/src/main.ts', ['healthcheck']],
  ])('of %s', async (_name, entry, args) => {
    await using check = new Program(entry, args, {
      NODE_OPTIONS: `--import ${watched}`,
      API_PORT: '2',
      PORT: '2',
    });
    await check.exited;
    await check.line(/no emulator answers|does not answer/);
    expect(JSON.parse((await check.line(/watched (.*)/))[1] ?? '')).toEqual({ hasFetch: false });
  });
});
