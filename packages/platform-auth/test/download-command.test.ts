import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hostileDepots } from '@steward/platform-emulator/depot/hostile-depots';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { Program } from '@steward/testing/program';
import { count } from '@steward/testing/scale';
import { afterAll, expect, it } from 'vitest';
import { ann, DownloadWorld, entry } from './world/download-world.ts';
import { treeOn } from './world/game-tree.ts';
import { PublishedGame } from './world/published-game.ts';
import { keys, TerminalProgram } from './world/terminal-program.ts';

const gameApp = 413_150;
const plan = {
  seed: 'command',
  bytes: count({ small: 1_500_000, long: 100_000_000 }),
  format: 'mixed',
} as const;
const first = new PublishedGame(plan);
const [small] = PublishedGame.small();
const commands = new CommandsInTurn('packages/platform-auth/src/program.ts');
afterAll(() => commands[Symbol.asyncDispose]());

it('downloads the game from the platform as its builder made it, and says what it did', async () => {
  await using world = await DownloadWorld.start(first);
  const languages = ['de-DE', 'zh-CN'];
  const { code, stdout, stderr } = await world.run([], { PLATFORM_KEEP_LANGUAGES: 'zh-cn,de-DE,en-US' });
  expect([code, stdout]).toEqual([0, []]);
  expect(treeOn(world.game)).toEqual(first.expected(languages));
  expect(stderr).toMatch(/PLATFORM_KEEP_LANGUAGES names "en-US".*ignored/);
  expect(stderr).toMatch(/^Downloading$/m);
  expect(stderr).toMatch(/Done in .*files.* in .*game/);
  expect(stderr).not.toContain('\u001b');
});

/** As a shell would hand it down; the threads that decode have their process's. */
const strictUmask =
  'import { isMainThread } from "node:worker_threads"; if (isMainThread) process.umask(0o077)';

it('leaves a game that every user can read, whatever the umask of the shell', async () => {
  await using world = await DownloadWorld.start(small);
  const nodeOptions = ['--import', `data:text/javascript,${strictUmask}`];
  await using program = new Program(entry, ['download'], world.environment, { nodeOptions });
  expect((await program.exited).code).toBe(0);
  const names = readdirSync(world.game, { recursive: true, encoding: 'utf8' });
  const closed = ['.', ...names].filter((name) => {
    const found = statSync(join(world.game, name));
    const wanted = found.isDirectory() ? 0o055 : 0o044;
    return !name.startsWith('.download/') && (found.mode & wanted) !== wanted;
  });
  expect(names).toContain('.download-manifest-413150');
  expect(closed).toEqual([]);
});

it('only plans when it is told to, for people or for programs, and changes nothing', async () => {
  await using world = await DownloadWorld.start(first);
  const { code, stdout } = await world.inTurn(commands, ['--plan']);
  expect(code).toBe(0);
  expect(stdout[0]).toMatch(/^Kept +\d+ files, /);
  expect(stdout.join('\n')).toMatch(/Content\/XACT\/Wave Bank.xwb.*2 files, .*runs silent/);
  const asJson = await world.inTurn(commands, ['--plan', '--json']);
  expect(JSON.parse(asJson.stdout.join(''))).toMatchObject({ there: { files: 0 }, to_remove: 0 });
  expect([existsSync(world.game), world.chunks]).toEqual([false, 0]);
});

it('stops at Ctrl-C on a terminal, shows a bar before it does, and says how to go on', async () => {
  await using world = await DownloadWorld.start(small);
  // However late somebody looks, there is something left to interrupt.
  world.platform.faults.add({ when: { kind: 'chunk' }, fault: { latencyMs: 60_000 } });
  await using program = new TerminalProgram(entry, ['download'], world.environment, { columns: 100 });
  await program.shows(/\[#*\.+\] +\d+% {2}.* of .*B/);
  program.type(keys.interrupt);
  expect(await program.exited).toBe(130);
  expect(program.screen).toMatch(
    /Interrupted: what was downloaded is kept\. Run `platform-auth download` to continue/,
  );
  expect(existsSync(join(world.game, '.download-manifest-413150'))).toBe(false);
});

it('outlives its session, and two refused tries to get another', async () => {
  await using world = await DownloadWorld.start(small);
  const { faults, record } = world.platform;
  faults.add({ when: { path: 'ClientPICSProductInfoRequest' }, times: 1, fault: { resetAtByte: 0 } });
  faults.add({ when: { path: 'ClientLogon' }, nth: [2, 3], fault: { eresult: 20 } });
  const { code, stderr } = await world.inTurn(commands);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Done in/)]);
  expect(treeOn(world.game)).toEqual(small.expected());
  expect(record.count({ path: 'ClientLogon' })).toBe(4);
});

it('says why no session comes back', async () => {
  await using world = await DownloadWorld.start(small);
  const { faults } = world.platform;
  faults.add({ when: { path: 'ClientPICSProductInfoRequest' }, times: 1, fault: { resetAtByte: 0 } });
  faults.add({ when: { path: 'ClientLogon' }, nth: 2, fault: { eresult: 84 } });
  const { code, stderr } = await world.inTurn(commands);
  expect([code, stderr]).toEqual([5, expect.stringMatching(/too many/i)]);
});

it('ends when its token is refused meanwhile, without trying it again and again', async () => {
  await using world = await DownloadWorld.start(small);
  const { faults, record } = world.platform;
  faults.add({ when: { path: 'ClientPICSProductInfoRequest' }, times: 1, fault: { resetAtByte: 0 } });
  faults.add({ when: { path: 'ClientLogon' }, nth: [2, 3, 4, 5, 6], fault: { eresult: 15 } });
  const { code, stderr } = await world.inTurn(commands);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/no longer accepts.*export-token/)]);
  expect(record.count({ path: 'ClientLogon' })).toBe(2);
});

it('ends when another program takes over its session, and says so', async () => {
  await using world = await DownloadWorld.start(small);
  const { faults, record } = world.platform;
  const asked = { path: 'ClientPICSProductInfoRequest' };
  faults.add({ when: asked, times: 1, fault: { latencyMs: 60_000 } });
  const run = world.inTurn(commands);
  await record.seen(asked);
  world.platform.kick('ann', 34);
  const { code, stderr } = await run;
  expect([code, stderr]).toEqual([3, expect.stringMatching(/Another program took over.*stop it/)]);
  expect(record.count({ path: 'ClientLogon' })).toBe(1);
});

it('leaves another one beside it its session', async () => {
  await using world = await DownloadWorld.start(small);
  world.platform.faults.add({ when: { kind: 'chunk' }, fault: { latencyMs: 300 } });
  const elsewhere = { GAME_DIR: join(dirname(world.game), 'elsewhere') };
  const both = await Promise.all([world.run(), world.run([], elsewhere)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(world.platform.record.count({ path: 'ClientLogon' })).toBe(2);
});

it('refuses what is hostile, and says which name', async () => {
  await using world = await DownloadWorld.start(small);
  const depot = hostileDepots(413_153).get('parent directory');
  if (depot === undefined) throw new Error('no such depot');
  world.platform.publish({ appId: gameApp, name: 'game', depots: [{ depot }] });
  const { code, stderr } = await world.inTurn(commands, ['--skip-sdk']);
  expect(code).toBe(1);
  expect(stderr).toContain('"../outside.txt" leads out of its folder');
  expect(readdirSync(world.game)).toEqual(['.download']);
});

it('says which name without giving a terminal its orders', async () => {
  await using world = await DownloadWorld.start(small);
  const depot = hostileDepots(413_153).get('marks of direction');
  if (depot === undefined) throw new Error('no such depot');
  world.platform.publish({ appId: gameApp, name: 'game', depots: [{ depot }] });
  const { code, stderr } = await world.inTurn(commands, ['--skip-sdk']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('"../\\u202egnp.\\u2066exe" leads out')]);
});

it('says so when the account does not own the game', async () => {
  await using world = await DownloadWorld.start(small, { accounts: [{ ...ann, owns: [] }] });
  const { code, stderr } = await world.inTurn(commands);
  expect(code).toBe(6);
  expect(stderr).toMatch(/does not own/);
});
