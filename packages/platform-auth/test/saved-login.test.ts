import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { afterAll, expect, it } from 'vitest';
import { AtTerminal, surroundings } from './world/at-terminal.ts';
import { Emulated } from './world/emulated.ts';
import { refusingDisk } from './world/refusing-disk.ts';
import { SidecarProcess } from './world/sidecar-process.ts';

// What there is already, and whether the service finds what is there afterwards.

const inTurn = new CommandsInTurn('packages/platform-auth/src/program.ts');
afterAll(() => inTurn[Symbol.asyncDispose]());

it('a saved session is offered with the days that it has left, and used', async () => {
  await using world = await Emulated.start();
  const token = await world.saveSession('ann', world.platform.refreshToken('ann', { lifetimeDays: 30.5 }));
  await using person = new AtTerminal('login', surroundings(world), { inTurn });
  await person.choose(/Use the session of ann \(good for 30 days\).*Log in again/, 1);
  // Nothing is promised of a service that has no news to take up.
  await person.shows(/Logged in as ann with the saved session.*continues as before/);
  expect(await person.exited).toBe(0);
  expect(await world.savedToken('ann')).toBe(token);
});

it('a saved session that the platform refuses gives way to a new login', async () => {
  await using world = await Emulated.start();
  const dead = await world.saveSession('ann');
  world.platform.revoke(dead);
  await using person = new AtTerminal('login', surroundings(world), { inTurn });
  await person.choose(/Use the session of ann/, 1);
  await person.shows(/Log in again to fix this/);
  await person.enterPassword('ann', 'pass-of-ann');
  await person.shows(/Logged in as ann/);
  expect(await person.exited).toBe(0);
  expect(await world.savedToken('ann')).not.toBe(dead);
});

it('PLATFORM_REFRESH_TOKEN is offered, and saved as the session of the account', async () => {
  await using world = await Emulated.start();
  const token = world.platform.refreshToken('ann');
  const both = { PLATFORM_USERNAME: 'ann', PLATFORM_REFRESH_TOKEN: token };
  await using person = new AtTerminal('login', { ...surroundings(world), ...both }, { inTurn });
  await person.choose(/Use PLATFORM_REFRESH_TOKEN/, 1);
  await person.shows(/belongs to the account \d{17}\. It is in .* as the session of ann/);
  expect(await person.exited).toBe(0);
  expect(await world.savedToken('ann')).toBe(token);
});

it('setup never succeeds while leaving serve without an account: a running one takes the session up', async () => {
  await using world = await Emulated.start();
  const fast = { SESSION_DIR: world.directory, CLOCK_SPEED: '20' };
  await using serve = await SidecarProcess.start(world.platform, fast);
  await serve.healthWhere(({ session }) => session.state === 'no-account');
  await using person = new AtTerminal('setup', surroundings(world));
  await person.enterPassword('BOB', 'pass-of-bob');
  await person.shows(/Logged in as bob/);
  await person.shows(/Everything is set up\. Start it: docker compose up -d/);
  expect(await person.exited).toBe(0);
  await serve.healthWhere(({ logged_in }) => logged_in);
  await expect.poll(() => world.platform.online.map(({ name }) => name)).toEqual(['bob']);
});

it('an account that PLATFORM_USERNAME does not name is saved, but it is no success', async () => {
  await using world = await Emulated.start();
  await using person = new AtTerminal(
    'login',
    { ...surroundings(world), PLATFORM_USERNAME: 'ann' },
    { inTurn },
  );
  await person.chooseQr();
  world.platform.approve('bob');
  await person.shows(/session of bob is saved, but PLATFORM_USERNAME is ann.*set it to bob/);
  expect(await person.exited).toBe(1);
  expect(await world.savedToken('bob')).toBeDefined();
});

it('a copy in SESSION_DIR is no reason to say that the directory cannot be read', async () => {
  await using world = await Emulated.start();
  await world.saveSession('ann');
  copyFileSync(join(world.directory, 'session-ann.json'), join(world.directory, 'session-ann-old.json'));
  await using person = new AtTerminal(
    'login',
    { ...surroundings(world), PLATFORM_USERNAME: 'poor' },
    { inTurn },
  );
  await person.chooseQr();
  world.platform.approve('bob');
  await person.shows(/session of bob is saved, but PLATFORM_USERNAME is poor/);
  expect(await person.exited).toBe(1);
});

it('a token of another account than PLATFORM_USERNAME is told as that before it is used', async () => {
  await using world = await Emulated.start();
  await world.saveSession('ann');
  const both = { PLATFORM_USERNAME: 'ann', PLATFORM_REFRESH_TOKEN: world.platform.refreshToken('bob') };
  await using person = new AtTerminal('login', { ...surroundings(world), ...both }, { inTurn });
  await person.choose(/is from another account than PLATFORM_USERNAME.*Use PLATFORM_REFRESH_TOKEN/, 1);
  await person.shows(/Logged in with PLATFORM_REFRESH_TOKEN\. It is not saved/);
  expect(await person.exited).toBe(0);
  expect(await world.savedToken('ann')).not.toBe(both.PLATFORM_REFRESH_TOKEN);
});

it('a new login is found beside a PLATFORM_REFRESH_TOKEN that is no token', async () => {
  await using world = await Emulated.start();
  const noToken = { PLATFORM_REFRESH_TOKEN: 'changeme' };
  await using person = new AtTerminal('login', { ...surroundings(world), ...noToken }, { inTurn });
  await person.choose(/Use PLATFORM_REFRESH_TOKEN \(unusable\).*Log in again/, 2);
  await person.enterPassword('ann', 'pass-of-ann');
  await person.shows(/Logged in as ann\. The session is in/);
  expect(await person.exited).toBe(0);
  expect(await world.savedToken('ann')).toBeDefined();
});

it('a second account without PLATFORM_USERNAME is saved, but it is no success: serve would not start', async () => {
  await using world = await Emulated.start();
  await world.saveSession('ann');
  await using person = new AtTerminal('login', surroundings(world), { inTurn });
  await person.choose(/Use the session of ann.*Log in again/, 2);
  await person.chooseQr();
  world.platform.approve('bob');
  await person.shows(/PLATFORM_USERNAME is not set.*set it to one of ann, bob/);
  expect(await person.exited).toBe(1);
});

it('nobody is asked for a password that could not be saved', async () => {
  await using world = await Emulated.start();
  const nowhere = join(world.directory, 'a-file', 'sessions');
  writeFileSync(join(world.directory, 'a-file'), '');
  await using person = new AtTerminal('login', { ...surroundings(world), SESSION_DIR: nowhere }, { inTurn });
  await person.shows(/SESSION_DIR \(.*a-file.sessions\) cannot be written \(ENOTDIR\)/);
  expect(await person.exited).toBe(8);
  expect(person.screen).not.toContain('How do you want');
});

it('a disk that has run full while somebody logged in is told as that', async () => {
  await using world = await Emulated.start();
  await using person = new AtTerminal('login', { ...surroundings(world), ...refusingDisk('ENOSPC', 1) });
  await person.enterPassword('ann', 'pass-of-ann');
  await person.shows(/cannot be written \(ENOSPC\): its disk is full/);
  expect(await person.exited).toBe(8);
  expect(person.screen).not.toMatch(/Logged in|is saved/);
});

it('where the password alone is set, the name is asked for and nothing else', async () => {
  await using world = await Emulated.start();
  await using person = new AtTerminal(
    'login',
    { ...surroundings(world), PLATFORM_PASSWORD: 'pass-of-ann' },
    { inTurn },
  );
  await person.answer(/Account name/, 'ann');
  await person.shows(/Logged in as ann/);
  expect(await person.exited).toBe(0);
  expect(person.screen).not.toMatch(/How do you want|Password of ann/);
});
