import { readdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/commands/run/exit-codes.ts';
import { Emulated, gameApp } from '../world/emulated.ts';
import { doctorsAccounts, examined, onlyFailure, statuses } from '../world/examined.ts';

let world: Emulated;
beforeEach(async () => {
  world = await Emulated.start({ accounts: doctorsAccounts });
});
afterEach(() => world[Symbol.asyncDispose]());

const token = (account = 'ann', lifetimeDays = 200) => world.platform.refreshToken(account, { lifetimeDays });

it('finds nothing wrong where all is well, and leaves nothing behind', async () => {
  await world.saveSession('ann');
  const files = readdirSync(world.directory);
  const found = await examined(world, {});
  expect(statuses(found, 'failed')).toEqual([]);
  expect(statuses(found, 'warning')).toEqual(['service']);
  expect(statuses(found, 'skipped')).toEqual(['lobby']);
  expect(found.exitCode).toBe(0);
  expect(readdirSync(world.directory)).toEqual(files);
  expect(world.platform.lobbies.listed(gameApp)).toEqual([]);
  await expect.poll(() => world.platform.online).toEqual([]);
});

describe('the credentials', () => {
  it('fails where there are none', async () => {
    const none = await examined(world, {});
    onlyFailure(none, 'credentials', /there are no credentials/, 'no-credentials');
    expect(none.line('credentials').remedy).toContain('`platform-auth login`');
    const nameless = await examined(world, { PLATFORM_PASSWORD: 'x' });
    onlyFailure(nameless, 'credentials', /without PLATFORM_USERNAME/, 'failure');
  });

  it('fails where several accounts could be meant, without naming them', async () => {
    await world.saveSession('ann');
    await world.saveSession('bob');
    const found = await examined(world, {});
    onlyFailure(found, 'credentials', /sessions of 2 accounts/, 'failure');
    expect(JSON.stringify(found.lines)).not.toMatch(/\bann\b|\bbob\b/);
  });

  it('warns of a token of another account than the one that is meant', async () => {
    await world.saveSession('ann');
    const found = await examined(world, { PLATFORM_USERNAME: 'ann', PLATFORM_REFRESH_TOKEN: token('bob') });
    expect(statuses(found, 'warning')).toContain('credentials');
    expect(JSON.stringify(found.lines)).toContain('is from another account than PLATFORM_USERNAME');
  });

  it('fails where another account is saved than the one that is meant', async () => {
    await world.saveSession('ann');
    onlyFailure(
      await examined(world, { PLATFORM_USERNAME: 'bob' }),
      'credentials',
      /another account/,
      'no-credentials',
    );
  });

  it.each([
    ['has expired', -1, 'failed'],
    ['lasts 9 more days', 9.5, 'warning'],
    ['lasts 0 more days', 0.5, 'warning'],
    ['lasts 100 more days', 100.5, 'ok'],
  ])('says that a token %s', async (text, days, status) => {
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token('ann', days) });
    expect(found.line('credentials')).toMatchObject({ status, found: `PLATFORM_REFRESH_TOKEN ${text}` });
    expect(found.exitCode).toBe(status === 'failed' ? exitCodes['login-refused'].code : 0);
  });

  it('fails for what is no token', async () => {
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: 'a.b.c' });
    onlyFailure(found, 'credentials', /^PLATFORM_REFRESH_TOKEN is not a refresh token/, 'login-refused');
    expect(found.line('login').found).toBe('because of the line "Credentials"');
  });

  it('warns of a token that has expired where the saved session has not', async () => {
    await world.saveSession('ann');
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token('ann', -1) });
    expect(found.line('credentials')).toMatchObject({ status: 'warning' });
    expect(found.line('login').found).toBe('logged in with the saved session');
  });

  it('does not spend a login on a password', async () => {
    const found = await examined(world, { PLATFORM_USERNAME: 'ann', PLATFORM_PASSWORD: 'pass-of-ann' });
    expect(found.line('login').status).toBe('skipped');
    expect(world.platform.record.matching({ kind: 'service-method' })).toEqual([]);
  });
});

describe('the login', () => {
  it('fails for a revoked token', async () => {
    const revoked = token();
    world.platform.revoke(revoked);
    onlyFailure(
      await examined(world, { PLATFORM_REFRESH_TOKEN: revoked }),
      'login',
      /^PLATFORM_REFRESH_TOKEN: /,
      'login-refused',
    );
  });

  it('warns of it where the saved session works', async () => {
    const revoked = token();
    world.platform.revoke(revoked);
    await world.saveSession('ann');
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: revoked });
    expect(found.line('login')).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('logged in with the saved session'),
    });
    expect(statuses(found, 'ok')).toContain('ticket');
  });

  it.each([
    [84, 'rate-limited'],
    [20, 'network'],
    [6, 'login-refused'],
  ] as const)('fails for result code %i as %s', async (eresult, end) => {
    world.platform.faults.add({ when: { path: 'ClientLogon' }, fault: { eresult } });
    onlyFailure(await examined(world, { PLATFORM_REFRESH_TOKEN: token() }), 'login', /./, end);
  });
});

describe('the game', () => {
  it('fails for an account that does not own it', async () => {
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token('poor') });
    onlyFailure(found, 'ownership', /does not own the game/, 'not-owned');
    expect(found.line('ticket').status).toBe('skipped');
  });

  it('fails for a platform that gives no tickets', async () => {
    world.platform.faults.add({ when: { path: 'ClientRequestEncryptedAppTicket' }, fault: { eresult: 2 } });
    onlyFailure(
      await examined(world, { PLATFORM_REFRESH_TOKEN: token() }),
      'ticket',
      /failed without saying why/,
      'network',
    );
  });

  it('takes no offence at the second ticket within a minute', async () => {
    await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
    expect(found.line('ticket').status).toBe('warning');
    expect(found.exitCode).toBe(0);
  });
});

it('has names and remedies that fit the status, whatever it finds', async () => {
  rmSync(world.directory, { recursive: true });
  const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
  for (const { check, status, remedy } of found.lines) {
    expect(check).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(remedy === undefined).toBe(status === 'ok' || status === 'skipped');
  }
});
