import { once } from 'node:events';
import { expect, it } from 'vitest';
import { loggedOn, refusalOf, steamUser } from './clients/steam-user.ts';
import { testPlatform } from './clients/test-platform.ts';

it.each(['gzip', 'plain'] as const)(
  'logs on, and tells account and licences in a %s Multi',
  async (multiForm) => {
    const platform = await testPlatform({ multiForm });
    const client = steamUser(platform);
    client.logOn({ refreshToken: platform.refreshToken('host') });
    const [[name], [licenses]] = await Promise.all([
      once(client, 'accountInfo'),
      once(client, 'licenses'),
      once(client, 'loggedOn'),
    ]);
    expect(client.steamID?.getSteamID64()).toBe(platform.accounts.get('host').steamId);
    expect(client.publicIP).toBe('127.0.0.1');
    expect(name).toBe('host');
    expect(licenses.map((license: { package_id: number }) => license.package_id)).toEqual([0, 1_413_150]);
    expect(platform.online.map((account) => account.name)).toEqual(['host']);
  },
);

it('is sent a heartbeat at the interval it asked for', async () => {
  const platform = await testPlatform({ heartbeatSeconds: 1 });
  await loggedOn(platform, 'host');
  const heartbeats = await platform.record.seen({ path: 'ClientHeartBeat', account: 'host' });
  expect(heartbeats.length).toBe(1);
});

it.each([
  [5, 'InvalidPassword'],
  [15, 'AccessDenied'],
  [17, 'Banned'],
  [25, 'LimitExceeded'],
  [26, 'Revoked'],
  [27, 'Expired'],
  [34, 'LogonSessionReplaced'],
  [43, 'AccountDisabled'],
  [51, 'Suspended'],
  [65, 'InvalidLoginAuthCode'],
  [73, 'AccountLockedDown'],
  [84, 'RateLimitExceeded'],
  [87, 'AccountLoginDeniedThrottle'],
])('refuses a logon with %i %s, which ends the client’s attempts', async (eresult, message) => {
  const platform = await testPlatform();
  platform.faults.add({ when: { path: 'ClientLogon' }, fault: { eresult } });
  const client = steamUser(platform);
  client.logOn({ refreshToken: platform.refreshToken('host') });
  await expect(once(client, 'loggedOn')).rejects.toMatchObject({ eresult, message });
});

it.each([2, 20, 48])(
  'refuses a logon with %i, after which the client comes again by itself',
  async (eresult) => {
    const platform = await testPlatform();
    platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { eresult } });
    await loggedOn(platform, 'host');
    expect(platform.record.matching({ path: 'ClientLogon' }).map(({ outcome }) => outcome)).toEqual([
      eresult,
      1,
    ]);
  },
);

it.each([63, 85, 88])('asks for a guard code with %i', async (eresult) => {
  const platform = await testPlatform();
  platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { eresult } });
  const client = steamUser(platform);
  client.logOn({ refreshToken: platform.refreshToken('host') });
  const [, giveCode] = await once(client, 'steamGuard');
  giveCode('CODE');
  await once(client, 'loggedOn');
  const logons = platform.record.matching({ path: 'ClientLogon' });
  expect(logons.map(({ outcome }) => outcome)).toEqual([eresult, 1]);
});

it('refuses an account that is banned, whatever its token', async () => {
  const platform = await testPlatform({ accounts: [{ name: 'rogue', password: 'pw', refusal: 17 }] });
  const client = steamUser(platform);
  client.logOn({ refreshToken: platform.refreshToken('rogue') });
  expect(await refusalOf(client)).toBe(17);
});

it('forgets a session whose client logs off', async () => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'host');
  const disconnected = once(client, 'disconnected');
  client.logOff();
  await disconnected;
  await platform.record.seen({ path: 'ClientLogOff' });
  expect(platform.lobbies.all).toEqual([]);
  await expect.poll(() => platform.online).toEqual([]);
});
