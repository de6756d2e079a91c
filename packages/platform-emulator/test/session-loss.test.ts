import { once } from 'node:events';
import { expect, it } from 'vitest';
import { loggedOn, refusalOf, type SteamUser, steamUser } from './clients/steam-user.ts';
import { gameApp, testPlatform } from './clients/test-platform.ts';

/** Resolves to the EResult of a `disconnected`, then waits until the client has come back by itself. */
async function comesBack(client: SteamUser): Promise<number> {
  const loggedOnAgain = once(client, 'loggedOn');
  const [eresult]: number[] = await once(client, 'disconnected');
  await loggedOnAgain;
  return eresult ?? 0;
}

it.each([34, 6])('kicks with %i for good', async (eresult) => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'host');
  const refusal = refusalOf(client);
  platform.kick('host', eresult);
  expect(await refusal).toBe(eresult);
  expect(platform.online).toEqual([]);
});

it.each([20, 48])('kicks with %i, and takes the client back', async (eresult) => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'host');
  const back = comesBack(client);
  platform.kick('host', eresult);
  expect(await back).toBe(eresult);
});

it('drops connections without a word', async () => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'host');
  const back = comesBack(client);
  platform.dropConnections();
  const noConnection = 3;
  expect(await back).toBe(noConnection);
});

it('replaces the older of two sessions with the same logon id, and lets others be', async () => {
  const platform = await testPlatform();
  const first = await loggedOn(platform, 'host', { logonID: 1 });
  await loggedOn(platform, 'host', { logonID: 2 });
  expect(platform.online.length).toBe(2);
  const refusal = refusalOf(first);
  await loggedOn(platform, 'host', { logonID: 1 });
  expect(await refusal).toBe(34);
  expect(platform.online.length).toBe(2);
});

it('falls silent and comes to life again, on the same connection', async () => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'host');
  const speak = platform.silence();
  const unanswered = client.getAppOwnershipTicket(gameApp).then(
    () => 'answered',
    (error: Error) => error.message,
  );
  await platform.record.seen({ path: 'ClientGetAppOwnershipTicket' });
  speak();
  await client.getAppOwnershipTicket(gameApp);
  // steam-user gives up on a request after ten seconds.
  expect(await unanswered).toBe('Request timed out');
});

it('does not answer a logon while silent; the client tries again', async () => {
  const platform = await testPlatform();
  const speak = platform.silence();
  const client = steamUser(platform);
  client.logOn({ refreshToken: platform.refreshToken('host') });
  await platform.record.seen({ path: 'ClientLogon' });
  speak();
  await once(client, 'loggedOn');
  expect(platform.record.count({ path: 'ClientLogon' })).toBe(2);
});

it('can be without its list of connection managers for a while', async () => {
  const platform = await testPlatform();
  platform.faults.add({ when: { path: /GetCMListForConnect/ }, times: 1, fault: { status: 503 } });
  await loggedOn(platform, 'host');
  expect(platform.record.count({ path: /GetCMListForConnect/ })).toBe(2);
});

it('cuts the connection in the middle of a logon; the client tries again', async () => {
  const platform = await testPlatform();
  platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { resetAtByte: 0 } });
  await loggedOn(platform, 'host');
  expect(platform.record.count({ path: 'ClientLogon' })).toBe(2);
});

it('refuses tunnels to anywhere else, and can refuse its own', async () => {
  const platform = await testPlatform();
  platform.faults.add({ when: { kind: 'proxy' }, fault: { status: 407 } });
  const client = steamUser(platform, { autoRelogin: false });
  client.logOn({ refreshToken: platform.refreshToken('host') });
  await platform.record.seen({ kind: 'proxy' }, 2);
  platform.faults.clear();
  await once(client, 'loggedOn');
});
