import { expect, it } from 'vitest';
import { loggedOn, SteamUser } from './clients/steam-user.ts';
import { gameApp, testPlatform } from './clients/test-platform.ts';

it('gives an ownership ticket to an owner', async () => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'host');
  const { appOwnershipTicket } = await client.getAppOwnershipTicket(gameApp);
  const parsed = SteamUser.parseAppTicket(appOwnershipTicket, true);
  expect(parsed?.appID).toBe(gameApp);
  expect(parsed?.steamID.getSteamID64()).toBe(platform.accounts.get('host').steamId);
});

it('gives no ticket of either kind to an account without a licence', async () => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'stranger');
  await expect(client.getAppOwnershipTicket(gameApp)).rejects.toMatchObject({ eresult: 15 });
  await expect(client.createEncryptedAppTicket(gameApp)).rejects.toMatchObject({ eresult: 15 });
  platform.accounts.get('stranger').owns = [gameApp];
  await client.getAppOwnershipTicket(gameApp);
});

it('seals a ticket that its key opens, and that names account, app and user data', async () => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'host');
  const { encryptedAppTicket } = await client.createEncryptedAppTicket(gameApp, Buffer.from('user data'));
  const parsed = SteamUser.parseEncryptedAppTicket(encryptedAppTicket, platform.ticketKey);
  expect(parsed?.steamID.getSteamID64()).toBe(platform.accounts.get('host').steamId);
  expect(parsed?.appID).toBe(gameApp);
  expect(parsed?.userData.toString()).toBe('user data');
});

it('makes an account wait 60 seconds for its next ticket to one app', async () => {
  let now = Date.now();
  const platform = await testPlatform({
    accounts: [
      { name: 'host', password: 'pw', owns: [gameApp, 570] },
      { name: 'guest', password: 'pw', owns: [gameApp] },
    ],
    now: () => now,
  });
  const host = await loggedOn(platform, 'host');
  const guest = await loggedOn(platform, 'guest');
  await host.createEncryptedAppTicket(gameApp);
  now += 59_999;
  await expect(host.createEncryptedAppTicket(gameApp)).rejects.toMatchObject({ eresult: 25 });
  await host.createEncryptedAppTicket(570);
  await guest.createEncryptedAppTicket(gameApp);
  now += 1;
  await host.createEncryptedAppTicket(gameApp);
  platform.liftTicketCooldown();
  await host.createEncryptedAppTicket(gameApp);
});

it('can refuse tickets with any result', async () => {
  const platform = await testPlatform();
  const client = await loggedOn(platform, 'host');
  platform.faults.add({ when: { path: 'ClientRequestEncryptedAppTicket' }, times: 1, fault: { eresult: 2 } });
  await expect(client.createEncryptedAppTicket(gameApp)).rejects.toMatchObject({ eresult: 2 });
  await client.createEncryptedAppTicket(gameApp);
  const requests = platform.record.matching({ path: 'ClientRequestEncryptedAppTicket', account: 'host' });
  expect(requests.map(({ outcome }) => outcome)).toEqual([2, 1]);
});
