import { once } from 'node:events';
import { EAuthSessionGuardType } from 'steam-session';
import { expect, it } from 'vitest';
import type { Guard } from '../src/accounts/accounts.ts';
import type { Platform } from '../src/running-platform.ts';
import { browserKind, clientKind, loginSession, mobileKind, outcomeOf } from './clients/login-session.ts';
import { steamUser } from './clients/steam-user.ts';
import { testPlatform } from './clients/test-platform.ts';

const credentials = { accountName: 'host', password: 'hünter2 é' };

function platformWith(guards: Guard[]): Promise<Platform> {
  return testPlatform({
    accounts: [{ name: 'host', password: credentials.password, guards, guardCode: 'RIGHT' }],
  });
}

it.each([clientKind, browserKind, mobileKind])(
  'logs in without a guard, over the transport of kind %i',
  async (kind) => {
    const platform = await platformWith(['none']);
    const session = loginSession(platform, kind);
    const outcome = outcomeOf(session);
    expect(await session.startWithCredentials(credentials)).toEqual({ actionRequired: false });
    expect(await outcome).toBe('authenticated');
    expect(session.accountName).toBe('host');
    expect(session.steamID.getSteamID64()).toBe(platform.accounts.get('host').steamId);
  },
);

it('gives a token that logs the client on', async () => {
  const platform = await platformWith(['none']);
  const session = loginSession(platform);
  const outcome = outcomeOf(session);
  await session.startWithCredentials(credentials);
  await outcome;
  const client = steamUser(platform);
  client.logOn({ refreshToken: session.refreshToken });
  await once(client, 'loggedOn');
  expect(client.steamID?.getSteamID64()).toBe(platform.accounts.get('host').steamId);
});

it('logs steam-user on by itself, with password and guard code', async () => {
  const platform = await platformWith(['device-code']);
  const client = steamUser(platform);
  client.on('steamGuard', (_domain: string | null, giveCode: (code: string) => void) => giveCode('RIGHT'));
  const token = once(client, 'refreshToken');
  client.logOn(credentials);
  await once(client, 'loggedOn');
  expect((await token).length).toBe(1);
});

it.each([clientKind, browserKind])('refuses a wrong password or an unknown name (kind %i)', async (kind) => {
  const platform = await platformWith(['none']);
  for (const wrong of [{ password: 'nope' }, { accountName: 'nobody' }]) {
    const attempt = loginSession(platform, kind).startWithCredentials({ ...credentials, ...wrong });
    await expect(attempt).rejects.toMatchObject({ eresult: 5 });
  }
});

it.each([
  ['device-code', EAuthSessionGuardType.DeviceCode, 88],
  ['email-code', EAuthSessionGuardType.EmailCode, 65],
] as const)('refuses a wrong %s and stays open for the right one', async (guard, type, refusal) => {
  const platform = await platformWith([guard]);
  const session = loginSession(platform);
  const outcome = outcomeOf(session);
  const { validActions } = await session.startWithCredentials(credentials);
  expect(validActions?.map((action) => action.type)).toEqual([type]);
  expect(validActions?.[0]?.detail).toBe(guard === 'email-code' ? 'example.com' : undefined);
  await expect(session.submitSteamGuardCode('WRONG')).rejects.toMatchObject({ eresult: refusal });
  await session.submitSteamGuardCode('RIGHT');
  expect(await outcome).toBe('authenticated');
});

it('takes a device code that comes with the password', async () => {
  const platform = await platformWith(['device-code', 'device-confirmation']);
  const session = loginSession(platform);
  const outcome = outcomeOf(session);
  const started = await session.startWithCredentials({ ...credentials, steamGuardCode: 'RIGHT' });
  expect(started.actionRequired).toBe(false);
  expect(await outcome).toBe('authenticated');
});

it('remembers a machine that entered an e-mail code', async () => {
  const platform = await platformWith(['email-code']);
  const first = loginSession(platform);
  const outcome = outcomeOf(first);
  await first.startWithCredentials(credentials);
  await first.submitSteamGuardCode('RIGHT');
  await outcome;
  const machineToken = first.steamGuardMachineToken;
  const second = loginSession(platform);
  const again = outcomeOf(second);
  const started = await second.startWithCredentials({ ...credentials, steamGuardMachineToken: machineToken });
  expect(started).toEqual({ actionRequired: false });
  expect(await again).toBe('authenticated');
});

it('asks a browser without a known machine for the e-mail code', async () => {
  const platform = await platformWith(['email-code']);
  const session = loginSession(platform, browserKind);
  const outcome = outcomeOf(session);
  expect((await session.startWithCredentials(credentials)).actionRequired).toBe(true);
  await session.submitSteamGuardCode('RIGHT');
  expect(await outcome).toBe('authenticated');
});

it.each(['device-confirmation', 'email-confirmation'] as const)(
  'waits for a %s, tells that somebody looked, and follows a yes',
  async (guard) => {
    const platform = await platformWith([guard]);
    const session = loginSession(platform);
    const outcome = outcomeOf(session);
    const looked = new Promise<void>((resolve) => {
      session.once('remoteInteraction', () => resolve());
    });
    const { validActions } = await session.startWithCredentials(credentials);
    expect(validActions?.map(({ type }) => type)).toEqual([
      guard === 'device-confirmation'
        ? EAuthSessionGuardType.DeviceConfirmation
        : EAuthSessionGuardType.EmailConfirmation,
    ]);
    expect(platform.look('host')).toBe(1);
    await looked;
    platform.approve('host');
    expect(await outcome).toBe('authenticated');
  },
);

it('follows a no: the login is gone', async () => {
  const platform = await platformWith(['device-confirmation']);
  const session = loginSession(platform);
  const outcome = outcomeOf(session);
  await session.startWithCredentials(credentials);
  platform.deny('host');
  const fileNotFound = 9;
  expect(await outcome).toBe(fileNotFound);
});

it.each([
  ['denied', 9],
  ['approved', 29],
] as const)('takes no code for a login that was %s meanwhile', async (decision, refusal) => {
  const platform = await platformWith(['device-code', 'device-confirmation']);
  const session = loginSession(platform);
  const outcome = outcomeOf(session);
  await session.startWithCredentials(credentials);
  // Polling is held back: the code is on its way while the owner decides.
  const polls = { path: 'Authentication.PollAuthSessionStatus' };
  const goOn = platform.faults.add({ when: polls, fault: { latencyMs: 200 } });
  if (decision === 'denied') platform.deny('host');
  else platform.approve('host');
  await expect(session.submitSteamGuardCode('RIGHT')).rejects.toMatchObject({ eresult: refusal });
  goOn();
  expect(await outcome).toBe(decision === 'denied' ? 9 : 'authenticated');
});

it('lets the client time out when nobody answers', async () => {
  const platform = await platformWith(['device-confirmation']);
  const session = loginSession(platform);
  session.loginTimeout = 60;
  const outcome = outcomeOf(session);
  await session.startWithCredentials(credentials);
  expect(await outcome).toBe('timeout');
});

it('forgets a login that nobody finishes within ten minutes', async () => {
  let now = Date.now();
  const platform = await testPlatform({
    accounts: [{ name: 'host', password: credentials.password, guards: ['device-confirmation'] }],
    now: () => now,
  });
  const session = loginSession(platform);
  const outcome = outcomeOf(session);
  await session.startWithCredentials(credentials);
  now += 11 * 60_000;
  expect(await outcome).toBe(27);
});

it('limits password logins, and lifts the limit after its time without attempts', async () => {
  let now = Date.now();
  const platform = await testPlatform({
    loginLimit: { attempts: 2, blockMs: 60_000 },
    now: () => now,
  });
  const attempt = () =>
    loginSession(platform).startWithCredentials({ accountName: 'host', password: 'wrong' });
  await expect(attempt()).rejects.toMatchObject({ eresult: 5 });
  await expect(attempt()).rejects.toMatchObject({ eresult: 5 });
  await expect(attempt()).rejects.toMatchObject({ eresult: 84 });
  now += 40_000;
  await expect(attempt()).rejects.toMatchObject({ eresult: 84 });
  now += 40_000;
  // The attempt in between has begun the wait anew.
  await expect(attempt()).rejects.toMatchObject({ eresult: 84 });
  now += 60_000;
  await expect(attempt()).rejects.toMatchObject({ eresult: 5 });
});

it('can fail any step of a login with any result', async () => {
  const platform = await platformWith(['none']);
  platform.faults.add({
    when: { kind: 'service-method', path: 'Authentication.GetPasswordRSAPublicKey' },
    times: 1,
    fault: { eresult: 20 },
  });
  const session = loginSession(platform);
  await expect(session.startWithCredentials(credentials)).rejects.toMatchObject({ eresult: 20 });
});
