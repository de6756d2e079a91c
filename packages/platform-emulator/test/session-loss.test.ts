import { once } from 'node:events';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { loggedOn, refusalOf, type SteamUser } from './clients/steam-user.ts';
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
  let answered = false;
  client.getAppOwnershipTicket(gameApp).then(
    () => {
      answered = true;
    },
    () => undefined,
  );
  await platform.record.seen({ path: 'ClientGetAppOwnershipTicket' });
  speak();
  await client.getAppOwnershipTicket(gameApp);
  expect(answered).toBe(false);
  expect(platform.record.count({ path: 'ClientLogon' })).toBe(1);
});

it('can be without its list of connection managers for a while', async () => {
  const platform = await testPlatform();
  platform.faults.add({ when: { path: /GetCMListForConnect/ }, times: 1, fault: { status: 503 } });
  await loggedOn(platform, 'host');
  expect(platform.record.count({ path: /GetCMListForConnect/ })).toBe(2);
});

it('cuts the connection in the middle of a request', async () => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'host');
  platform.faults.add({ when: { path: 'ClientGetAppOwnershipTicket' }, times: 1, fault: { resetAtByte: 0 } });
  const back = comesBack(client);
  client.getAppOwnershipTicket(gameApp).catch(() => undefined);
  expect(await back).toBe(3);
});

it('can have its proxy refuse for a while', async () => {
  const platform = await testPlatform();
  platform.faults.add({ when: { kind: 'proxy' }, times: 2, fault: { status: 407 } });
  await loggedOn(platform, 'host');
  expect(platform.record.matching({ kind: 'proxy' }).map(({ outcome }) => outcome)).toEqual([
    407, 407, 200, 200,
  ]);
});

it('opens no tunnel to anywhere but the platform and loopback', async () => {
  const platform = await testPlatform();
  const attempt = request(platform.proxyUrl, { method: 'CONNECT', path: 'example.com:443' });
  attempt.end();
  const [response] = await once(attempt, 'connect');
  expect(response.statusCode).toBe(502);
});
