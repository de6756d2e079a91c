import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/commands/run/exit-codes.ts';
import { Emulated } from '../world/emulated.ts';
import { doctorsAccounts, examined, onlyFailure, statuses } from '../world/examined.ts';

let world: Emulated;
beforeEach(async () => {
  world = await Emulated.start({ accounts: doctorsAccounts });
});
afterEach(() => world[Symbol.asyncDispose]());

const token = () => world.platform.refreshToken('ann');

describe('the configuration', () => {
  it.each([
    ['a value that does not fit', { PORT: 'mine' }, /^PORT is wrong: it must be an integer/],
    [
      'a secret that is given twice',
      { PLATFORM_PASSWORD: 'x', PLATFORM_PASSWORD_FILE: '/x' },
      /are both set/,
    ],
    [
      'a secret whose file is not there',
      { PLATFORM_PASSWORD_FILE: '/home/ann/secret' },
      /names a file, which cannot be read \(ENOENT\)/,
    ],
    ['a password in a value', { PORT: 'http://ann:hunter2@10.0.0.5:3001' }, /^PORT is wrong: it must be/],
    [
      'a password in a value, without http://',
      { PORT: 'ann:hunter2@10.0.0.5' },
      /^PORT is wrong: it must be/,
    ],
    ['two bad values', { PORT: '-1', LOG_LEVEL: 'loud' }, /^PORT is wrong.*; LOG_LEVEL is wrong/],
  ])('fails for %s', async (_name, environment, text) => {
    const found = await examined(world, environment);
    onlyFailure(found, 'configuration', text, 'failure');
    expect(statuses(found, 'skipped')).toHaveLength(found.lines.length - 1);
    expect(JSON.stringify(found.lines)).not.toContain('/home/ann');
  });

  it.each([
    [
      'a name that means nothing',
      { PLATFORM_REFRESHTOKEN: 'x' },
      /^PLATFORM_REFRESHTOKEN is not a variable of this program$/,
    ],
    [
      'a file for what is no secret, which is read from no file',
      { PLATFORM_USERNAME_FILE: '/run/secrets/name' },
      /^PLATFORM_USERNAME_FILE is not a variable of this program$/,
    ],
    [
      'an item of NO_PROXY that cannot be read',
      { NO_PROXY: 'a.example,<local>' },
      /^1 of the entries in NO_PROXY/,
    ],
    ['a port that is open to all', { HOST: '0.0.0.0' }, /^PLATFORM_AUTH_SECRET is not set/],
  ])('warns of %s', async (_name, environment, text) => {
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token(), ...environment });
    expect(found.line('configuration')).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(text),
    });
    expect(found.exitCode).toBe(0);
  });

  it('counts a variable as set by its file only where it is a secret', async () => {
    const file = join(world.directory, 'token');
    writeFileSync(file, token());
    const counted = async (environment: NodeJS.ProcessEnv) =>
      (await examined(world, environment)).line('configuration');
    const direct = await counted({ PLATFORM_REFRESH_TOKEN: token() });
    expect(direct).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^6 of \d+ variables are set/),
    });
    expect(await counted({ PLATFORM_REFRESH_TOKEN_FILE: file, LOG_LEVEL_FILE: file })).toEqual(direct);
  });
});

describe('the directories', () => {
  it('warns of a SESSION_DIR that is open to others', async () => {
    await world.saveSession('ann');
    chmodSync(world.directory, 0o755);
    const found = await examined(world, {});
    expect(found.line('session-directory')).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('755'),
    });
    expect(found.exitCode).toBe(0);
  });

  it('fails for a session that others can read, also when it is used right after', async () => {
    await world.saveSession('ann');
    chmodSync(join(world.directory, 'session-ann.json'), 0o644);
    onlyFailure(await examined(world, {}), 'session-directory', /^1 of 1 session files/, 'disk');
  });

  it('keep the names and modes of their files, also of one that others can read and of a corrupt one', async () => {
    await world.saveSession('ann');
    chmodSync(join(world.directory, 'session-ann.json'), 0o644);
    writeFileSync(join(world.directory, 'session-bob.json'), '{"version":1,"usern');
    const files = () =>
      readdirSync(world.directory).map((name) => [name, statSync(join(world.directory, name)).mode]);
    const before = files();
    const found = await examined(world, { PLATFORM_USERNAME: 'ann' });
    expect(files()).toEqual(before);
    expect(found.line('credentials')).toMatchObject({
      status: 'warning',
      found: 'A session file is corrupt and is not used',
    });
  });

  it('are told of where the only one is corrupt, and keep it', async () => {
    writeFileSync(join(world.directory, 'session-bob.json'), '{"version":1,"usern');
    const found = await examined(world, {});
    expect(found.line('credentials')).toMatchObject({
      status: 'failed',
      found: 'there are no credentials. A session file is corrupt and is not used',
    });
    expect(readdirSync(world.directory)).toEqual(['session-bob.json']);
  });

  it.each([
    ['SESSION_DIR', 'session-directory'],
    ['GAME_DIR', 'game-directory'],
  ])('fails for a %s that is a file, or lies below one', async (variable, check) => {
    const file = join(world.directory, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      const found = await examined(world, { [variable]: path, PLATFORM_REFRESH_TOKEN: token() });
      expect(found.line(check)).toMatchObject({ status: 'failed' });
      expect(found.exitCode).toBe(exitCodes.disk.code);
      expect(JSON.stringify(found.lines)).not.toContain(world.directory);
    }
  });

  it('is content with directories that are still to be made', async () => {
    const [session, game] = [join(world.directory, 'a', 'b'), join(world.directory, 'c')];
    const found = await examined(world, {
      SESSION_DIR: session,
      GAME_DIR: game,
      PLATFORM_REFRESH_TOKEN: token(),
    });
    expect(statuses(found, 'failed')).toEqual([]);
    expect(readdirSync(world.directory)).toEqual([]);
  });
});
