import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { inherited, programFile } from '@steward/testing/program';
import { count } from '@steward/testing/scale';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entry, surroundings } from './world/at-terminal.ts';
import { bob, startForCommands } from './world/command-accounts.ts';
import { Emulated } from './world/emulated.ts';
import { refusingDisk } from './world/refusing-disk.ts';
import { type Outcome, runCommand, runInTurn } from './world/run-command.ts';

const commands = new CommandsInTurn('packages/platform-auth/src/program.ts');
afterAll(() => commands[Symbol.asyncDispose]());

let world: Emulated;
beforeEach(async () => {
  world = await startForCommands();
});
afterEach(() => world[Symbol.asyncDispose]());

function inTurn(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return runInTurn(commands, args, { ...surroundings(world), ...env });
}

describe('login and setup', () => {
  it('log in by password and save the session under the name that the platform knows it by: 0', async () => {
    const { code, stdout, stderr } = await runCommand(world, ['setup'], { ...bob, PLATFORM_USERNAME: 'BOB' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: [] });
    expect(stderr).toContain('Logged in as BOB');
    expect(stderr.trimEnd().split('\n').at(-1)).toContain('Start it: docker compose up -d');
    const saved = await world.store.find('bob');
    expect(saved?.username).toBe('bob');
  });

  it('save a token from the environment, for a service that is not given it: 0', async () => {
    const token = world.platform.refreshToken('bob');
    const named = { PLATFORM_USERNAME: 'bob' };
    expect(await inTurn(['login'], { ...named, PLATFORM_REFRESH_TOKEN: token })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/belongs to the account \d{17}\. It is in .* as the session of bob/),
    });
    expect(await inTurn(['export-token'], named)).toMatchObject({ code: 0, stdout: [token] });
  });

  it('put it in the place of a later session that the platform has refused: 0', async () => {
    let now = Date.now();
    await using later = await Emulated.start({ now: () => now });
    const token = later.platform.refreshToken('ann');
    now += 86_400_000;
    later.platform.revoke(await later.saveSession('ann'));
    const given = { ...surroundings(later), PLATFORM_USERNAME: 'ann', PLATFORM_REFRESH_TOKEN: token };
    expect((await runInTurn(commands, ['login'], given)).code).toBe(0);
    expect(await later.savedToken('ann')).toBe(token);
  });

  it('save none beside the session of another account, of which a service without a name could choose none: 0', async () => {
    const token = await world.saveSession('bob');
    const { code, stderr } = await inTurn(['login'], {
      PLATFORM_REFRESH_TOKEN: world.platform.refreshToken('poor'),
    });
    expect(stderr).toContain('It is not saved: SESSION_DIR has a newer session, or one of another account');
    expect(code).toBe(0);
    expect(await inTurn(['export-token'])).toMatchObject({ code: 0, stdout: [token] });
  });

  it('name what is missing and the one command that brings it: 9', async () => {
    const { code, stdout, stderr } = await inTurn(['setup']);
    expect({ code, stdout }).toEqual({ code: 9, stdout: [] });
    for (const name of ['PLATFORM_REFRESH_TOKEN', 'PLATFORM_USERNAME', 'PLATFORM_PASSWORD', 'SESSION_DIR'])
      expect(stderr).toContain(name);
    expect(stderr).toContain('docker compose run --rm platform-auth login');
  });

  it('do not wait for a second factor that nobody can give: 4', async () => {
    const guarded = { PLATFORM_USERNAME: 'guarded', PLATFORM_PASSWORD: 'pass-of-guarded' };
    const { code, stderr } = await inTurn(['login'], guarded);
    expect(code).toBe(4);
    expect(stderr).toContain('second factor');
    expect(stderr).toContain('Run `platform-auth login` in a terminal');
    expect(stderr).not.toContain('setup');
  });

  it('try a wrong password once: 3', async () => {
    const { code, stderr } = await inTurn(['login'], { ...bob, PLATFORM_PASSWORD: 'mistyped' });
    expect(code).toBe(3);
    expect(stderr).toContain('PLATFORM_PASSWORD: Name or password is wrong');
    expect(stderr).toContain('Fix PLATFORM_PASSWORD and run it again');
    const begun = { path: 'Authentication.BeginAuthSessionViaCredentials' };
    expect(world.platform.record.count(begun)).toBe(1);
  });
});

describe('a session that cannot be saved', () => {
  const begun = { path: 'Authentication.BeginAuthSessionViaCredentials' };

  it.each([
    ['login', 'ENOSPC', /its disk is full\. Free some space/],
    ['setup', 'EROFS', /read-only/],
    ['login', 'EDQUOT', /the quota on its disk is used up\. Raise it/],
    ['login', 'EACCES', /its user may not write there/],
  ] as const)('is told before a login is spent (%s, %s): 8', async (command, says, why) => {
    const { code, stderr } = await runCommand(world, [command], { ...bob, ...refusingDisk(says) });
    expect(stderr).toContain(`SESSION_DIR (${world.directory}) cannot be written (${says})`);
    expect(stderr).toMatch(why);
    expect(code).toBe(8);
    expect(world.platform.record.count(begun)).toBe(0);
  });

  it('is told before a token from the environment is used: 8', async () => {
    const { code, stderr } = await runCommand(world, ['login'], {
      PLATFORM_REFRESH_TOKEN: world.platform.refreshToken('bob'),
      ...refusingDisk('EROFS'),
    });
    expect(stderr).toContain(`SESSION_DIR (${world.directory}) cannot be written (EROFS)`);
    expect(code).toBe(8);
    expect(world.platform.record.count({ path: 'ClientLogon' })).toBe(0);
  });

  it.each(['login', 'setup'])('after all ends %s: 8', async (command) => {
    const { code, stderr } = await runCommand(world, [command], { ...bob, ...refusingDisk('ENOSPC', 1) });
    expect(stderr).toContain('cannot be written (ENOSPC)');
    expect(stderr).not.toMatch(/Logged in|is saved|PLATFORM_REFRESH_TOKEN/);
    expect(code).toBe(8);
    expect(world.platform.record.count(begun)).toBe(1);
  });

  it('costs no ticket, but it is said why the next one needs the password again: 0', async () => {
    const { code, stdout, stderr } = await runCommand(world, ['ticket'], {
      ...bob,
      ...refusingDisk('EROFS'),
    });
    expect({ code, tickets: stdout.length }).toEqual({ code: 0, tickets: 1 });
    expect(stderr).toMatch(/not saved.*needs the password again.*\(EROFS\).*read-only/s);
  });
});

it('a value that is no refresh token is named once, with words for somebody who ran a command: 3', async () => {
  const { code, stderr } = await inTurn(['login'], { PLATFORM_REFRESH_TOKEN: 'abc' });
  expect(code).toBe(3);
  expect(stderr).toContain('PLATFORM_REFRESH_TOKEN: This is not a refresh token');
  expect(stderr).toContain('and run it again');
});

describe('a token of another account than PLATFORM_USERNAME', () => {
  const told = 'PLATFORM_REFRESH_TOKEN is from another account than PLATFORM_USERNAME, and is used first';

  it.each(['ticket', 'login'])('%s says so', async (command) => {
    await world.saveSession('bob');
    const token = world.platform.refreshToken('guarded');
    const { code, stderr } = await inTurn([command], {
      PLATFORM_USERNAME: 'bob',
      PLATFORM_REFRESH_TOKEN: token,
    });
    expect(code).toBe(0);
    expect(stderr).toContain(told);
  });

  it('is known by the session of its own account, too', async () => {
    const token = await world.saveSession('poor');
    const { stderr } = await inTurn(['login'], { ...bob, PLATFORM_REFRESH_TOKEN: token });
    expect(stderr).toContain(told);
  });

  it('is nothing that a token of the account is taken for', async () => {
    const token = await world.saveSession('bob');
    const { stderr } = await inTurn(['login'], { ...bob, PLATFORM_REFRESH_TOKEN: token });
    expect(stderr).not.toContain('another account');
  });
});

it.each(['PLATFORM_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'])(
  'a %s that is no URL is refused unseen: 1',
  async (name) => {
    const env = { PLATFORM_PROXY: '', [name]: 'ann:SECRET@banana' };
    const { code, stderr } = await inTurn(['ticket'], env);
    expect(code).toBe(1);
    expect(stderr).toContain(`${name} is malformed: it must be a URL that begins with http://`);
    expect(stderr).not.toMatch(/SECRET|banana/);
  },
);

it('a prompt never hangs a build: an open pipe that nobody writes to is no terminal', async () => {
  const env = { ...inherited(), ...surroundings(world) };
  const child = spawn(process.execPath, [programFile(entry), 'setup'], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  expect(await once(child, 'exit')).toEqual([9, null]);
});

const passing = [
  [2, 'Fail'],
  [20, 'ServiceUnavailable'],
  [48, 'TryAnotherCM'],
] as const;

/** What passes is known in one place for all commands: in the small run each of them meets one of these, and all are met. */
const met = ['ticket', 'download', 'setup', 'login'].flatMap((command, at) =>
  passing
    .slice(count({ small: at % passing.length, long: 0 }))
    .slice(0, count({ small: 1, long: passing.length }))
    .map(([eresult, name]) => [command, eresult, name] as const),
);

it.each(met)('%s gets over a platform that says %i once: 0', async (command, eresult, name) => {
  await world.saveSession('bob');
  world.platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { eresult } });
  const { code, stderr } = await inTurn([command]);
  expect(stderr).toContain(`(${name}). Trying again in 1 s`);
  expect(code).toBe(0);
});

it.each(['ticket', 'login'])(
  '%s gives up a platform that goes on saying so, and blames no proxy: 7',
  async (command) => {
    await world.saveSession('bob');
    world.platform.faults.add({ when: { path: 'ClientLogon' }, fault: { eresult: 20 } });
    const { code, stdout, stderr } = await inTurn([command]);
    expect({ code, stdout }).toEqual({ code: 7, stdout: [] });
    expect(stderr).toContain('not available (ServiceUnavailable). Try again in a few minutes');
    expect(stderr).not.toMatch(/proxy|doctor/i);
    expect(world.platform.record.count({ path: 'ClientLogon' })).toBe(4);
  },
);

it.each(['ticket', 'export-token', 'login'])(
  '%s tells an unreadable SESSION_DIR from an empty one: 8',
  async (command) => {
    writeFileSync(join(world.directory, 'a-file'), '');
    const env = { SESSION_DIR: join(world.directory, 'a-file') };
    const { code, stderr } = await inTurn([command], env);
    expect(code).toBe(8);
    expect(stderr).toContain('SESSION_DIR cannot be read (ENOTDIR)');
  },
);

it.each([
  [['fly'], 2],
  [['export-token', '--yaml'], 2],
  [['ticket', '--json'], 2],
])('%j is no command: %i', async (args, expected) => {
  const { code, stdout } = await runCommand(world, args);
  expect({ code, stdout }).toEqual({ code: expected, stdout: [] });
});
