import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hostileDepots } from '@steward/platform-emulator/depot/hostile/hostile-depots';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { PlatformOptions } from '@steward/platform-emulator/platform-options';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { Program } from '@steward/testing/program';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { treeOn } from './world/game-tree.ts';
import { PublishedGame } from './world/published-game.ts';
import { keys, TerminalProgram } from './world/terminal-program.ts';

const entry = 'packages/platform-auth/dist/main.js';
const gameApp = 413_150;
const ann = { name: 'ann', password: 'pass-word-of-ann', owns: [gameApp] };
const plan = {
  seed: 'command',
  bytes: count({ small: 1_500_000, long: 100_000_000 }),
  format: 'mixed',
} as const;
const first = new PublishedGame(plan);

class World implements AsyncDisposable {
  readonly platform: Platform;
  readonly #directory = temporaryDirectory();

  private constructor(platform: Platform) {
    this.platform = platform;
  }

  static async start(game: PublishedGame = first, options: Partial<PlatformOptions> = {}): Promise<World> {
    const world = new World(await startPlatform({ accounts: [ann], ...options }));
    game.on(world.platform);
    return world;
  }

  get game(): string {
    return join(this.#directory.path, 'game');
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      SESSION_DIR: join(this.#directory.path, 'session'),
      GAME_DIR: this.game,
      PLATFORM_PROXY: this.platform.proxyUrl,
      NODE_EXTRA_CA_CERTS: this.platform.caFile,
      PLATFORM_USERNAME: 'ann',
      PLATFORM_REFRESH_TOKEN: this.platform.refreshToken('ann'),
    };
  }

  async run(flags: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
    await using program = new Program(entry, ['download', ...flags], { ...this.environment, ...environment });
    const { code } = await program.exited;
    return { code, stdout: program.stdout, stderr: program.stderr.join('\n') };
  }

  get chunks(): number {
    return this.platform.record.count({ kind: 'chunk' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.platform.close();
    this.#directory[Symbol.dispose]();
  }
}

const pollMs = 5;
/** Each needs a second or two of a busy machine, before it does anything. */
const manyProcessesMs = 600_000;

function shortly(): Promise<void> {
  return new Promise((resolve) => setTimeout(() => resolve(), pollMs));
}

it('downloads the game from the platform as its builder made it, and says what it did', async () => {
  await using world = await World.start();
  const languages = ['de-DE', 'zh-CN'];
  const { code, stdout, stderr } = await world.run([], { PLATFORM_KEEP_LANGUAGES: 'zh-cn,de-DE,en-US' });
  expect([code, stdout]).toEqual([0, []]);
  expect(treeOn(world.game)).toEqual(first.expected(languages));
  expect(stderr).toMatch(/PLATFORM_KEEP_LANGUAGES names "en-US".*ignored/);
  expect(stderr).toMatch(/^Downloading$/m);
  expect(stderr).toMatch(/Done in .*files.* in .*game/);
  expect(stderr).not.toContain('\u001b');
});

it('only plans when it is told to, for people or for programs, and changes nothing', async () => {
  await using world = await World.start();
  const { code, stdout } = await world.run(['--plan']);
  expect(code).toBe(0);
  expect(stdout[0]).toMatch(/^Kept +\d+ files, /);
  expect(stdout.join('\n')).toMatch(/Content\/XACT\/Wave Bank.xwb.*2 files, .*runs silent/);
  const asJson = await world.run(['--plan', '--json']);
  expect(JSON.parse(asJson.stdout.join(''))).toMatchObject({ there: { files: 0 }, to_remove: 0 });
  expect([existsSync(world.game), world.chunks]).toEqual([false, 0]);
});

it(
  'goes on after kills, fetching at most again what was in flight, and then brings an update',
  async () => {
    await using world = await World.start();
    const { stdout } = await world.run(['--plan', '--json']);
    const { chunks } = JSON.parse(stdout.join('')).to_fetch;
    const kills = count({ small: 1, long: 50 });
    const lift = world.platform.faults.add({ when: { kind: 'chunk' }, fault: { latencyMs: 30 } });
    for (let kill = 0; kill < kills; kill += 1) {
      const enough = world.chunks + Math.floor(chunks / (2 * kills));
      await using program = new Program(entry, ['download'], world.environment);
      while (program.running && world.chunks < enough) await shortly();
      program.kill('SIGKILL');
      await program.exited;
    }
    lift();
    expect((await world.run()).code).toBe(0);
    expect(treeOn(world.game)).toEqual(first.expected());
    // As many as are fetched at a time may have been under way at a kill.
    expect(world.chunks).toBeLessThanOrEqual(chunks + kills * 24);
    const updated = new PublishedGame({ ...plan, version: 2 });
    updated.on(world.platform);
    const before = world.chunks;
    expect((await world.run(['--verify'])).code).toBe(0);
    expect(treeOn(world.game)).toEqual(updated.expected());
    expect(world.chunks - before).toBeLessThan(chunks / 2);
  },
  manyProcessesMs,
);

it('stops at Ctrl-C on a terminal, shows a bar before it does, and says how to go on', async () => {
  await using world = await World.start();
  world.platform.faults.add({ when: { kind: 'chunk' }, fault: { latencyMs: 400 } });
  await using program = new TerminalProgram(entry, ['download'], world.environment, { columns: 100 });
  await program.shows(/\[#*\.+\] +\d+% {2}.* of .*B/);
  program.type(keys.interrupt);
  expect(await program.exited).toBe(130);
  expect(program.screen).toMatch(
    /Interrupted: what was fetched is kept\. Run `platform-auth download` to go on/,
  );
  expect(existsSync(join(world.game, '.download-manifest-413150'))).toBe(false);
});

it('refuses what is hostile, and says which name', async () => {
  await using world = await World.start();
  const depot = hostileDepots(413_153).get('parent directory');
  if (depot === undefined) throw new Error('no such depot');
  world.platform.publish({ appId: gameApp, name: 'game', depots: [{ depot }] });
  const { code, stderr } = await world.run(['--skip-sdk']);
  expect(code).toBe(1);
  expect(stderr).toContain('"../outside.txt" leads out of its folder');
  expect(readdirSync(world.game)).toEqual(['.download']);
});

it('says so when the account does not own the game', async () => {
  await using world = await World.start(first, { accounts: [{ ...ann, owns: [] }] });
  const { code, stderr } = await world.run();
  expect(code).toBe(6);
  expect(stderr).toMatch(/does not own/);
});
