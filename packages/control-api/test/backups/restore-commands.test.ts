import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, parse } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { backupFileEnds } from '@steward/shared/backups';
import { diskLibrary } from '@steward/testing/disk-library';
import { freePort } from '@steward/testing/free-port';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asMortal } from './stage/as-mortal.ts';
import { environmentOf, meadow, type Places, placesIn } from './stage/restore-stage.ts';
import { plant, treeOf } from './stage/trees.ts';

const entry = 'packages/control-api/src/main.ts';
const commands = new CommandsInTurn('packages/control-api/src/program.ts');
afterAll(() => commands[Symbol.asyncDispose]());

/** A farm of its own, as one machine has it. */
function machine(root: string, port: number): { places: Places; env: Record<string, string> } {
  const places = placesIn(root);
  return { places, env: { ...environmentOf(places), API_HOST: '127.0.0.1', API_PORT: String(port) } };
}

function ran(env: Record<string, string>, ...args: string[]) {
  return commands.run(args, env);
}

/** In a process of its own, as people run it. */
async function ranAlone(env: Record<string, string>, ...args: string[]) {
  await using program = new Program(entry, args, env);
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

async function serving(env: Record<string, string>): Promise<Program> {
  const program = new Program(entry, [], env);
  await program.line(/listening on/);
  return program;
}

function saveOf(text: string): Record<string, string> {
  return { [`${meadow}/SaveGameInfo`]: text, [`${meadow}/${meadow}`]: text };
}

it('restore a backup where no service runs and beside one, and say each step', async () => {
  using directory = temporaryDirectory();
  const { places, env } = machine(directory.path, await freePort());
  mkdirSync(places.state);
  plant(places.saves, saveOf('then'));
  const then = treeOf(places.saves);
  const { stdout: made } = await ran(env, 'backup', 'create');
  const id = made[0] ?? '';
  for (const runs of [false, true]) {
    plant(places.saves, saveOf('now'));
    const now = treeOf(places.saves);
    await using _service = runs ? await serving(env) : undefined;
    const { code, stdout, stderr } = await ranAlone(env, 'backup', 'restore', '--id', id);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [expect.stringMatching(/^The backup is restored\. Start the game/)],
    });
    const isUnseen = stderr.some((line) => line.includes('cannot see whether the game runs'));
    expect(isUnseen).toBe(!runs);
    if (!runs) expect(stderr.join()).not.toMatch(/(stopp|start)ing the game/);
    const back = /^to go back: backup restore --id (\S+)$/.exec(stderr.at(-1) ?? '');
    expect(treeOf(places.saves)).toEqual(then);
    // And back again, as if nothing had been.
    expect(await ran(env, 'backup', 'restore', '--id', back?.[1] ?? '')).toMatchObject({ code: 0 });
    expect(treeOf(places.saves)).toEqual(now);
  }
  expect(await ran(env, 'backup', 'restore')).toMatchObject({
    code: 2,
    stderr: [expect.stringMatching(/needs either --id or --file/)],
  });
  expect(await ran(env, 'backup', 'restore', '--id', '20261122T190000Z-3f9a7c')).toMatchObject({
    code: 1,
    stderr: expect.arrayContaining([expect.stringMatching(/There is no backup.*backup-not-found/)]),
  });
}, 120_000);

it('restores a file that came from elsewhere, and refuses one that is damaged', async () => {
  using directory = temporaryDirectory();
  const from = machine(join(directory.path, 'from'), await freePort());
  const into = machine(join(directory.path, 'into'), await freePort());
  for (const { places } of [from, into]) mkdirSync(places.state);
  plant(from.places.saves, saveOf('then'));
  const { stdout } = await ran(from.env, 'backup', 'create');
  const id = stdout[0] ?? '';
  const file = join(directory.path, 'brought.zst');
  copyFileSync(join(from.places.backups, `${id}${backupFileEnds}`), file);
  chmodSync(file, 0o444);
  expect(asMortal(into.env, 'backup', 'restore', '--file', file)).toMatchObject({ code: 0 });
  chmodSync(file, 0o600);
  expect(treeOf(into.places.saves)).toEqual(treeOf(from.places.saves));
  expect(statSync(join(into.places.backups, `${id}${backupFileEnds}`)).mode & 0o777).toBe(0o600);
  // One that is damaged where backups are kept may be why it was brought.
  const kept = join(into.places.backups, `${id}${backupFileEnds}`);
  writeFileSync(kept, readFileSync(kept).fill(0, 99));
  expect(await ran(into.env, 'backup', 'restore', '--file', file)).toMatchObject({ code: 0 });
  expect(readFileSync(kept)).toEqual(readFileSync(file));
  writeFileSync(file, readFileSync(file).subarray(0, -9));
  expect(await ran(into.env, 'backup', 'restore', '--file', file)).toMatchObject({
    code: 1,
    stderr: [expect.stringMatching(/brought\.zst is not a good backup/)],
  });
}, 120_000);

it.runIf(process.platform === 'linux').each<[string, Record<string, string>]>([
  ['where no mode and no time can be changed, as on a share', { FIXED_MODES: 'yes' }],
  ['that can sync no folder, as a shared folder of VirtualBox', { UNSYNCED_FOLDERS: 'yes' }],
])(
  'restores, changes settings and bans on a disk %s',
  async (_, disk) => {
    using directory = temporaryDirectory();
    const { places, env: plain } = machine(directory.path, await freePort());
    const env = { ...plain, ...diskLibrary(directory.path), ...disk };
    mkdirSync(places.state);
    plant(places.saves, saveOf('then'));
    await using _service = await serving(env);
    const change = `http://127.0.0.1:${plain['API_PORT']}/settings?maxPlayers=`;
    for (const maxPlayers of [5, 6])
      expect((await fetch(`${change}${maxPlayers}`, { method: 'POST' })).status).toBe(200);
    expect(readFileSync(`${places.settings}.previous`, 'utf8')).toContain('"MaxPlayers": 5');
    for (const identity of ['76561198000000001', '76561198000000002'])
      expect(await ran(env, 'bans', 'add', '--identity', identity)).toMatchObject({ code: 0 });
    const { stdout } = await ran(env, 'backup', 'create');
    const id = stdout[0] ?? '';
    plant(places.saves, saveOf('now'));
    const what = ['--what', 'saves,owners,bans'];
    const restored = await ran(env, 'backup', 'restore', '--id', id, ...what);
    expect(restored).toMatchObject({ code: 0 });
    expect(readFileSync(join(places.saves, meadow, meadow), 'utf8')).toBe('then');
    expect(bansIn(places)).toContain('76561198000000002');
    const kept = join(places.backups, `${id}${backupFileEnds}`);
    const brought = join(directory.path, 'brought.zst');
    renameSync(kept, brought);
    // The command copies it, so that it needs this disk itself.
    expect(await ranAlone(env, 'backup', 'restore', '--file', brought)).toMatchObject({ code: 0 });
    expect(readFileSync(kept)).toEqual(readFileSync(brought));
  },
  120_000,
);

it('tells which settings a restore has changed also where no service runs', async () => {
  using directory = temporaryDirectory();
  const { places, env } = machine(directory.path, await freePort());
  mkdirSync(places.state);
  plant(places.saves, saveOf('then'));
  const { dir, base } = parse(places.settings);
  const settingsAre = (server: object) => plant(dir, { [base]: JSON.stringify({ Server: server }) });
  settingsAre({ MaxPlayers: 5, CabinStrategy: 'None' });
  const { stdout } = await ran(env, 'backup', 'create');
  settingsAre({ MaxPlayers: 7, CabinStrategy: 'None' });
  const restored = await ran(env, 'backup', 'restore', '--id', stdout[0] ?? '', '--what', 'settings');
  expect(restored).toMatchObject({ code: 0 });
  await using _service = await serving(env);
  const answer = await fetch(`http://127.0.0.1:${env['API_PORT']}/events?topics=server`);
  const { events } = (await answer.json()) as { events: { type: string; data: object }[] };
  const changed = events.filter(({ type }) => type === 'server.settingsChanged');
  expect(changed.map(({ data }) => data)).toEqual([{ fields: ['server.maxPlayers'] }]);
});

const keyName = 'of the friend';

/** A machine with a farm, a key and a log, and a backup of all of it in a file, of which each test makes another machine. */
async function makeEverything(directory: string) {
  const from = machine(directory, await freePort());
  const env: Record<string, string> = { ...from.env, API_KEY: 'the-owner' };
  mkdirSync(from.places.state);
  plant(from.places.saves, saveOf('then'));
  plant(join(from.places.state, 'farms'), { [`${meadow}/farmhand-ownership.json`]: '{"of":"then"}' });
  await using _service = await serving(env);
  const { stdout: secret } = await ran(env, 'keys', 'create', '--name', keyName, '--scopes', 'read');
  await ran(env, 'bans', 'add', '--identity', '76561198000000001');
  const { stdout: made } = await ran(env, 'backup', 'create', '--all');
  const file = join(from.places.backups, `${made[0]}${backupFileEnds}`);
  return { file, from: from.places, secret: secret[0] ?? '', epoch: await epochOf(env) };
}

const earlier = temporaryDirectory();
afterAll(() => earlier[Symbol.dispose]());
let everything: Awaited<ReturnType<typeof makeEverything>>;
beforeAll(async () => {
  everything = await makeEverything(earlier.path);
});

async function epochOf(env: Record<string, string>): Promise<string> {
  const headers = { authorization: 'Bearer the-owner' };
  const answer = await fetch(`http://127.0.0.1:${env['API_PORT']}/events`, { headers });
  const { cursor } = (await answer.json()) as { cursor: string };
  return cursor.split('-')[0] ?? '';
}

function bansIn({ state }: { readonly state: string }): string {
  return readFileSync(join(state, 'bans.json'), 'utf8');
}

/** What a service finds that is started on it. */
async function foundIn({ places, env: plain }: ReturnType<typeof machine>, secret: string) {
  const env: Record<string, string> = { ...plain, API_KEY: 'the-owner' };
  await using _service = await serving(env);
  const headers = { authorization: `Bearer ${secret}` };
  const { status } = await fetch(`http://127.0.0.1:${env['API_PORT']}/players`, { headers });
  return {
    status,
    epoch: await epochOf(env),
    saves: treeOf(places.saves),
    farms: treeOf(join(places.state, 'farms')),
    bans: bansIn(places),
  };
}

it('--all makes a new service of a backup, with its keys and another stretch of events, and only of nothing', async () => {
  using directory = temporaryDirectory();
  const { file, from, secret, epoch } = everything;
  const into = machine(join(directory.path, 'into'), await freePort());
  const { code, stdout } = await ranAlone(into.env, 'backup', 'restore', '--all', '--file', file);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: [expect.stringMatching(/is restored\. Start the service$/)],
  });
  const found = await foundIn(into, secret);
  expect(found).toMatchObject({
    status: 200,
    saves: treeOf(from.saves),
    farms: treeOf(join(from.state, 'farms')),
    bans: bansIn(from),
  });
  expect(found.bans).toContain('76561198000000001');
  expect(found.epoch).not.toBe(epoch);
  expect(existsSync(join(into.places.state, '.steward-restore'))).toBe(false);
  const refused = (reason: RegExp) => ({ code: 1, stderr: [expect.stringMatching(reason)] });
  expect(await ran(into.env, 'backup', 'restore', '--all', '--file', file)).toMatchObject(
    // Of a service that was killed, what it tries the disk with may lie there, too.
    refused(/STATE_DIR: \S+ is not empty \(.*\bfarms\b/),
  );
  const other = machine(join(directory.path, 'other'), 0);
  plant(other.places.saves, saveOf('precious'));
  expect(await ran(other.env, 'backup', 'restore', '--all', '--file', file)).toMatchObject({
    ...refused(/GAME_SAVES_DIR: \S+Meadow_1 is there already/),
    stderr: expect.arrayContaining([expect.stringMatching(/already exists/)]),
  });
  expect(await ran(into.env, 'backup', 'restore', '--all')).toMatchObject({ code: 2 });
  expect(await ran(into.env, 'backup', 'restore', '--all', '--file', file, '--json')).toMatchObject({
    code: 2,
    stderr: [expect.stringContaining('--all needs --file, and does not accept --id, --what or --json')],
  });
  const nowhere = { ...into.env, STATE_DIR: join(file, 'state') };
  expect(await ran(nowhere, 'backup', 'restore', '--all', '--file', file)).toMatchObject(
    refused(/STATE_DIR: \S+ cannot be created \(ENOTDIR\)/),
  );
}, 180_000);

it('--all is tried again after a try that came to nothing, also where the saves are inside STATE_DIR', async () => {
  using directory = temporaryDirectory();
  const { file } = everything;
  const { places, env: plain } = machine(join(directory.path, 'into'), await freePort());
  const saves = join(places.state, 'game', 'saves');
  const env = { ...plain, GAME_SAVES_DIR: saves };
  const all = ['backup', 'restore', '--all', '--file', file];
  writeFileSync(join(directory.path, 'file'), '');
  expect(
    await ran({ ...env, SETTINGS_PATH: join(directory.path, 'file', 'settings.json') }, ...all),
  ).toMatchObject({
    code: 1,
    stderr: expect.arrayContaining([expect.stringMatching(/Nothing was changed/)]),
  });
  expect(existsSync(saves)).toBe(true);
  writeFileSync(join(places.state, 'game', 'precious'), '');
  expect(await ran(env, ...all)).toMatchObject({
    code: 1,
    stderr: [expect.stringMatching(/is not empty \(game\)/)],
  });
  rmSync(join(places.state, 'game', 'precious'));
  expect(await ran(env, ...all)).toMatchObject({ code: 0 });
  expect(readFileSync(join(saves, meadow, meadow), 'utf8')).toBe('then');
}, 120_000);

it(
  '--all that is killed is finished by the next try, or by the service when it starts, or leaves nothing',
  async () => {
    using directory = temporaryDirectory();
    const random = seededRandom(seed);
    const { file, from, secret } = everything;
    for (let killed = 0; killed < count({ small: 2, long: 60 }); killed += 1) {
      const into = machine(join(directory.path, `into-${killed}`), await freePort());
      {
        await using program = new Program(entry, ['backup', 'restore', '--all', '--file', file], into.env);
        const begun =
          killed % 2 === 0 ? program.line(/replacing the current farm/).catch(() => {}) : Promise.resolve();
        await Promise.race([begun, program.exited]);
        await pause(random() * (killed % 2 === 0 ? 15 : 900));
        program.kill('SIGKILL');
      }
      const record = join(into.places.state, 'restore.json');
      const phase = existsSync(record)
        ? /"phase":"(\w+)"/.exec(readFileSync(record, 'utf8'))?.[1]
        : undefined;
      // What has begun to be put in place the service finishes as well.
      const isForService = phase === 'restored' || (phase === 'swapping' && random() < 0.5);
      if (!isForService) {
        const { code, stderr } = await ranAlone(into.env, 'backup', 'restore', '--all', '--file', file);
        expect(code, stderr.join('\n')).toBe(0);
      }
      expect(await foundIn(into, secret)).toMatchObject({
        status: 200,
        saves: treeOf(from.saves),
        farms: treeOf(join(from.state, 'farms')),
        bans: bansIn(from),
      });
    }
  },
  count({ small: 120_000, long: 1_200_000 }),
);
