import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { readyLine } from '../packages/service-kit/src/log/ready-line.ts';
import { notingLostReader } from './lost-reader.ts';

/** What a service may take to stop before it leaves as it is: whoever takes less has stopped. */
const stopLimitMs = 10_000;
const nsPerMs = 1e6;

/** A program that writes, and what it needs in order to run for long enough to notice that nobody reads. */
interface Writer {
  readonly name: string;
  readonly entry: string;
  readonly args?: readonly string[];
  readonly environment?: (place: string) => NodeJS.ProcessEnv;
  /** Where it writes what it writes first. */
  readonly to?: 'stdout' | 'stderr';
  readonly code?: number;
}

const controlApi = (place: string): NodeJS.ProcessEnv => ({
  API_HOST: '127.0.0.1',
  API_PORT: '0',
  STATE_DIR: place,
  SETTINGS_PATH: join(place, 'server-settings.json'),
  PLATFORM_AUTH_URL: '',
});

const platformAuth = (place: string): NodeJS.ProcessEnv => ({
  HOST: '127.0.0.1',
  PORT: '0',
  SESSION_DIR: join(place, 'session'),
  GAME_DIR: join(place, 'game'),
});

const farm = (place: string): NodeJS.ProcessEnv => ({
  FARM_BRIDGE: `unix:${join(place, 'game.sock')}`,
  FARM_SAVES_DIR: join(place, 'saves'),
  FARM_CONTROL: join(place, 'farm.sock'),
});

const checked = ['--spawn', JSON.stringify(['cat'])];

const writers: readonly Writer[] = [
  { name: 'control-api', entry: 'control-api/src/main.ts', environment: controlApi },
  {
    name: 'control-api, writing for people',
    entry: 'control-api/src/main.ts',
    environment: (place) => ({ ...controlApi(place), LOG_FORMAT: 'pretty' }),
  },
  { name: 'platform-auth', entry: 'platform-auth/src/main.ts', environment: platformAuth, to: 'stderr' },
  {
    name: 'platform-auth, writing for people',
    entry: 'platform-auth/src/main.ts',
    environment: (place) => ({ ...platformAuth(place), LOG_FORMAT: 'pretty' }),
    to: 'stderr',
  },
  { name: 'a command’s help', entry: 'platform-auth/src/main.ts', args: ['--help'], code: 0 },
  { name: 'the simulated farm', entry: 'simulated-game/src/main.ts', environment: farm, to: 'stderr' },
  { name: 'an order to the farm', entry: 'simulated-game/src/give-order.ts', args: ['help'] },
  {
    name: 'the emulator',
    entry: 'platform-emulator/src/main.ts',
    args: ['--json', '--game-mb', '1'],
    code: 0,
  },
  {
    name: 'the existing server’s double',
    entry: 'existing-server-double/src/main.ts',
    environment: () => ({ API_PORT: '0' }),
    to: 'stderr',
    code: 0,
  },
  { name: 'Discord’s double', entry: 'discord-double/src/main.ts', code: 0 },
  { name: 'the check of a game', entry: 'bridge-conformance/src/main.ts', args: checked, code: 129 },
];

it.each(writers)(
  '$name ends in order, and without a word, when nobody reads what it writes',
  async ({ entry, args, environment, to = 'stdout', code = 1 }) => {
    using place = temporaryDirectory();
    using notes = temporaryDirectory();
    const lost = join(notes.path, 'lost');
    await using program = new Program(`packages/${entry}`, args, {
      ...environment?.(place.path),
      ...notingLostReader(lost),
    });
    program.stopReading(to);
    expect(await program.exited).toEqual({ code, signal: null });
    const [noticedAt = ''] = readFileSync(lost, 'utf8').split('\n');
    expect(Number(process.hrtime.bigint() - BigInt(noticedAt)) / nsPerMs).toBeLessThan(stopLimitMs);
    // The sidecar logs to stderr and says on stdout that it is ready, maybe before it notices.
    const said = [...program.stdout, ...program.stderr];
    expect(said.filter((line) => to === 'stdout' || !line.includes(readyLine))).toEqual([]);
  },
);
