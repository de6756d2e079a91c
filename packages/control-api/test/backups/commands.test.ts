import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { backupFileEnds } from '@steward/shared/backups';
import { freePort } from '@steward/testing/free-port';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, expect, it } from 'vitest';
import { backupPlaces, farmFolder, leaveSave } from '../api/stage/left-backups.ts';
import { asMortal } from './stage/as-mortal.ts';

const entry = 'packages/control-api/src/main.ts';
const commands = new CommandsInTurn('packages/control-api/src/program.ts');
afterAll(() => commands[Symbol.asyncDispose]());

async function farm() {
  const directory = temporaryDirectory();
  const env = {
    ...backupPlaces(directory.path),
    API_HOST: '127.0.0.1',
    API_PORT: String(await freePort()),
    STATE_DIR: join(directory.path, 'state'),
    SETTINGS_PATH: join(directory.path, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
  };
  leaveSave(env.GAME_SAVES_DIR);
  mkdirSync(env.STATE_DIR);
  return { env, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

async function command(env: NodeJS.ProcessEnv, ...args: string[]) {
  const { code, stdout, stderr } = await commands.run(['backup', ...args], env);
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

/** In a process of its own, as people run it. */
async function commandAlone(env: NodeJS.ProcessEnv, ...args: string[]) {
  await using program = new Program(entry, ['backup', ...args], env);
  const { code } = await program.exited;
  const { stdout, stderr } = program;
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

it.each([
  ['beside a service that runs', true],
  ['where none runs', false],
])('makes, lists, verifies and deletes %s', async (_where, runs) => {
  using stage = await farm();
  const { env } = stage;
  await using service = runs ? new Program(entry, ['serve'], env) : undefined;
  await service?.line(/listening on/);
  const made = await commandAlone(env, 'create', '--note', 'before the new mods');
  expect(made).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('of "Sunnybrook", spring 4 of year 1'),
  });
  const id = made.stdout;
  const list = await command(env, 'list');
  expect(list.stdout).toMatch(
    new RegExp(`^ID .*\\n${id} .*"Sunnybrook", spring 4 of year 1 .*"before the new mods"$`),
  );
  const { backups } = JSON.parse((await command(env, 'list', '--json')).stdout);
  expect(backups).toMatchObject([{ id, note: 'before the new mods' }]);
  expect(await command(env, 'verify', '--id', id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Backup ${id} of "Sunnybrook"`),
  });
  expect(await command(env, 'delete', '--id', id)).toMatchObject({ code: 0 });
  expect((await command(env, 'list')).stdout).toBe('There are no backups');
  expect(await command(env, 'create', '--fresh')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No game is connected that could save'),
  });
});

it('create prints with --json what its help says: the backup, as list shows it', async () => {
  using stage = await farm();
  const { env } = stage;
  expect((await command(env, 'create', '--help')).stdout).toMatch(/--json\s+The backup, as one line of JSON/);
  const { code, stdout } = await command(env, 'create', '--json');
  const { backups } = JSON.parse((await command(env, 'list', '--json')).stdout);
  expect({ code, backups }).toEqual({ code: 0, backups: [JSON.parse(stdout)] });
});

it('says that a save cannot be read, not that the game has not saved yet', async () => {
  using stage = await farm();
  const { env } = stage;
  const folder = join(env.GAME_SAVES_DIR, farmFolder);
  chmodSync(folder, 0);
  const { code, stderr } = asMortal(env, 'backup', 'create');
  chmodSync(folder, 0o700);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('GAME_SAVES_DIR cannot be read (EACCES): let the service read'),
  });
});

it('backs up saves on a volume of their own, at whose top is a folder that only root may look into', async () => {
  using stage = await farm();
  const { env } = stage;
  const folder = join(env.GAME_SAVES_DIR, 'lost+found');
  mkdirSync(folder, { mode: 0 });
  const { code, stderr } = asMortal(env, 'backup', 'create');
  chmodSync(folder, 0o700);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('of "Sunnybrook"') });
});

it('verify says what is wrong with a file, and what it needs', async () => {
  using stage = await farm();
  const { env } = stage;
  const { stdout: id } = await command(env, 'create');
  const path = join(env.BACKUP_DIR, `${id}${backupFileEnds}`);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  expect(await command(env, 'verify', '--file', path)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${path} is not a good backup: `),
  });
  expect(await command(env, 'verify')).toMatchObject({ code: 2 });
  expect(await command(env, 'verify', '--id', '7')).toMatchObject({ code: 2 });
  expect(await command({ ...env, BACKUP_DIR: '' }, 'create')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('set BACKUP_DIR and GAME_SAVES_DIR'),
  });
});
