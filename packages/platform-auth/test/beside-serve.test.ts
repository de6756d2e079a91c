import { expect, it } from 'vitest';
import { AtTerminal, surroundings } from './world/at-terminal.ts';
import { Emulated } from './world/emulated.ts';
import { runCommand } from './world/run-command.ts';
import { SidecarProcess } from './world/sidecar-process.ts';

it('commands that log in leave a running serve its session', async () => {
  await using world = await Emulated.start();
  await world.saveSession('ann');
  await using serve = await SidecarProcess.start(world.platform, { SESSION_DIR: world.directory });
  const before = await serve.healthWhere(({ logged_in }) => logged_in);
  const logons = { path: 'ClientLogon' };

  const both = [runCommand(world, ['ticket']), runCommand(world, ['login'])];
  expect((await Promise.all(both)).map(({ code }) => code)).toEqual([0, 0]);
  await using person = new AtTerminal('setup', surroundings(world));
  await person.choose(/Use the session of ann/, 1);
  expect(await person.exited).toBe(0);

  expect(world.platform.record.count(logons)).toBe(4);
  // The platform hears a moment later that a program has hung up.
  await expect.poll(() => world.platform.online.map(({ name }) => name)).toEqual(['ann']);
  expect((await serve.health()).session).toEqual(before.session);
});

it('healthcheck asks whether it lives; with --ready, whether it is logged in', async () => {
  await using world = await Emulated.start();
  await using serve = await SidecarProcess.start(world.platform, {
    SESSION_DIR: world.directory,
    CLOCK_SPEED: '20',
  });
  const where = { HOST: '127.0.0.1', PORT: new URL(serve.origin).port };
  expect(await runCommand(world, ['healthcheck'], where)).toEqual({ code: 0, stdout: [], stderr: '' });
  await serve.program.line(/No platform account is known/);
  const early = await runCommand(world, ['healthcheck', '--ready'], where);
  expect(early.code).toBe(1);
  expect(early.stderr).toMatch(/Not logged in: No platform account is known.*platform-auth login/);
  await world.saveSession('ann');
  await serve.healthWhere(({ logged_in }) => logged_in);
  expect((await runCommand(world, ['healthcheck', '--ready'], where)).code).toBe(0);
});

it('healthcheck fails with 1 when nobody answers', async () => {
  const world = { platform: { proxyUrl: '', caFile: '' }, directory: '', gameDirectory: '' };
  const { code, stderr } = await runCommand(world, ['healthcheck'], { HOST: '127.0.0.1', PORT: '9' });
  expect(code).toBe(1);
  expect(stderr).toContain('does not answer');
});
