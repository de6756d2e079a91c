import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { surroundings } from './world/at-terminal.ts';
import { bob, startForCommands } from './world/command-accounts.ts';
import type { Emulated } from './world/emulated.ts';
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

describe('ticket', () => {
  it('is asked for again where the platform failed once: 0', async () => {
    await world.saveSession('bob');
    const when = { path: 'ClientRequestEncryptedAppTicket' };
    world.platform.faults.add({ when, times: 1, fault: { eresult: 20 } });
    const { code, stdout } = await inTurn(['ticket']);
    expect(code).toBe(0);
    expect(stdout).toHaveLength(1);
    expect(world.platform.record.count({ path: 'ClientLogon' })).toBe(1);
  });

  it('with a password is one login, however often the platform puts it off', async () => {
    world.platform.faults.add({ when: { path: 'ClientLogon' }, times: 2, fault: { eresult: 48 } });
    const { code } = await inTurn(['ticket'], bob);
    expect(code).toBe(0);
    const begun = { path: 'Authentication.BeginAuthSessionViaCredentials' };
    expect(world.platform.record.count(begun)).toBe(1);
  });

  it('writes the ticket to stdout, without a log line inside it, whatever goes wrong on the way: 0', async () => {
    const dead = world.platform.refreshToken('bob');
    world.platform.revoke(dead);
    writeFileSync(join(world.directory, 'session-torn.json'), '{"username":');
    const noisy = {
      ...bob,
      PLATFORM_REFRESH_TOKEN: dead,
      LOG_LEVEL: 'trace',
      LOG_FORMAT: 'pretty',
      DEBUG: '*',
    };
    const { code, stdout, stderr } = await runCommand(world, ['ticket'], noisy);
    expect(code).toBe(0);
    expect(stdout).toHaveLength(1);
    const [ticket = ''] = stdout;
    expect(Buffer.from(ticket, 'base64').toString('base64')).toBe(ticket);
    expect(stderr).toContain('corrupt');
    // What the password brought is saved, so that the next ticket needs none.
    expect(await world.savedToken('bob')).toBeDefined();
  });

  it('is not given for a game that the account does not own: 6', async () => {
    const poor = { PLATFORM_USERNAME: 'poor', PLATFORM_PASSWORD: 'pass-of-poor' };
    const { code, stdout, stderr } = await inTurn(['ticket'], poor);
    expect({ code, stdout }).toEqual({ code: 6, stdout: [] });
    expect(stderr).toContain('does not own the game');
  });

  it('is not given when the platform has just given one: 5', async () => {
    await world.saveSession('bob');
    world.platform.faults.add({ when: { path: 'ClientRequestEncryptedAppTicket' }, fault: { eresult: 25 } });
    const { code, stdout, stderr } = await inTurn(['ticket']);
    expect({ code, stdout }).toEqual({ code: 5, stdout: [] });
    expect(stderr).toContain('gives one a minute (LimitExceeded). Run it again in a minute');
    expect(stderr).not.toContain('every further attempt');
  });

  it('cannot be had from a platform that is not there: 7', async () => {
    await world.saveSession('bob');
    const dead = { PLATFORM_PROXY: 'http://ann:SECRET@127.0.0.1:9' };
    const { code, stderr } = await inTurn(['ticket'], dead);
    expect(code).toBe(7);
    expect(stderr).toContain(
      'cannot be reached (ECONNREFUSED). Try again later, or fix the proxy of PLATFORM_PROXY.',
    );
    expect(stderr).toContain('`platform-auth doctor` shows where the connection fails');
    expect(stderr).not.toContain('SECRET');
  });

  it.each(['ticket', 'login'])(
    '%s over a way that nobody trusts names the certificate: 7',
    async (command) => {
      if (command === 'ticket') await world.saveSession('bob');
      const { code, stderr } = await runCommand(world, [command], { ...bob, NODE_EXTRA_CA_CERTS: '' });
      expect(code).toBe(7);
      expect(stderr).toMatch(/cannot be reached \([A-Z_]*(CERT|VERIFY)[A-Z_]*\)/);
      expect(stderr).toContain('NODE_EXTRA_CA_CERTS');
      expect(stderr).toContain('`platform-auth doctor` shows where the connection fails');
    },
  );

  it('cannot be had with a session that the platform refuses: 3, with the command that fixes it', async () => {
    world.platform.revoke(await world.saveSession('bob'));
    const { code, stderr } = await inTurn(['ticket']);
    expect(code).toBe(3);
    expect(stderr).toContain('Run `platform-auth login`');
  });

  it('is given where a running service renews the saved session during the login: 0', async () => {
    const old = await world.saveSession('bob');
    const { platform } = world;
    const when = { path: 'ClientLogon' };
    const renewed = platform.record.seen(when).then(() => {
      platform.revoke(old);
      return world.saveSession('bob');
    });
    platform.faults.add({ when, times: 1, fault: { until: renewed } });
    const { code, stdout } = await inTurn(['ticket']);
    expect({ code, lines: stdout.length }).toEqual({ code: 0, lines: 1 });
    expect(platform.record.count(when)).toBe(2);
  });
});

describe('export-token', () => {
  it('writes the bare token and nothing else to stdout: 0', async () => {
    const token = await world.saveSession('bob');
    const { code, stdout, stderr } = await runCommand(world, ['export-token']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: [token], stderr: '' });
    expect(world.platform.record.count()).toBe(0);
  });

  it('writes it also where PLATFORM_REFRESH_TOKEN is no token: 0', async () => {
    const token = await world.saveSession('bob');
    const outcome = await inTurn(['export-token'], { PLATFORM_REFRESH_TOKEN: 'changeme' });
    expect(outcome).toMatchObject({ code: 0, stdout: [token] });
  });

  it('writes nothing else beside a copy that somebody left, which is told where it fails: 0, and 9', async () => {
    const token = await world.saveSession('bob');
    const saved = join(world.directory, 'session-bob.json');
    copyFileSync(saved, join(world.directory, 'session-bob-old.json'));
    const exported = await runCommand(world, ['export-token']);
    expect(exported).toMatchObject({ code: 0, stdout: [token], stderr: '' });
    rmSync(saved);
    const { code, stderr } = await inTurn(['export-token']);
    expect(code).toBe(9);
    expect(stderr).toMatch(/A session file in SESSION_DIR is not used.*no session to export/s);
  });

  it('says whose it is and until when with --json', async () => {
    const token = await world.saveSession('bob');
    const { stdout } = await inTurn(['export-token', '--json']);
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const expires_at = new Date(exp * 1000).toISOString();
    expect(stdout.map((line) => JSON.parse(line))).toEqual([
      { username: 'bob', refresh_token: token, expires_at },
    ]);
  });

  it('takes the account that PLATFORM_USERNAME names, and asks for it where there are several: 1', async () => {
    const token = await world.saveSession('bob');
    await world.saveSession('poor');
    expect((await inTurn(['export-token'], { PLATFORM_USERNAME: 'Bob' })).stdout).toEqual([token]);
    const { code, stdout, stderr } = await inTurn(['export-token']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: [] });
    expect(stderr).toContain('set it to one of bob, poor');
  });

  it.each([
    ['nothing is saved', 9, undefined],
    ['it has expired', 3, -1],
  ])('writes nothing when %s: %i', async (_why, expected, lifetimeDays) => {
    if (lifetimeDays !== undefined)
      await world.saveSession('bob', world.platform.refreshToken('bob', { lifetimeDays }));
    const { code, stdout } = await inTurn(['export-token']);
    expect({ code, stdout }).toEqual({ code: expected, stdout: [] });
  });
});
