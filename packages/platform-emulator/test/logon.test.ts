import { once } from 'node:events';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loggedOn, refusalOf, steamUser } from './clients/steam-user.ts';
import { trust } from './clients/trust.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({
    accounts: [{ name: 'host', password: 'pw', owns: [413150] }],
    heartbeatSeconds: 1,
  });
  trust(platform);
});

afterAll(() => platform.close());

it('logs a real client on with a refresh token', async () => {
  const client = steamUser(platform);
  client.logOn({ refreshToken: platform.refreshToken('host') });
  const [account, licenses] = await Promise.all([
    once(client, 'accountInfo'),
    once(client, 'licenses'),
    once(client, 'loggedOn'),
  ]);
  expect(client.steamID?.getSteamID64()).toBe(platform.accounts.get('host').steamId);
  expect(client.publicIP).toBe('127.0.0.1');
  expect(account[0]).toBe('host');
  expect(licenses[0].map((license: { package_id: number }) => license.package_id)).toEqual([0, 1413150]);
});
