import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Platform } from '../src/running-platform.ts';
import { loginSession } from './clients/login-session.ts';
import { loggedOn, refusalOf, steamUser } from './clients/steam-user.ts';
import { testPlatform } from './clients/test-platform.ts';

const dayMs = 86_400_000;

function refusal(platform: Platform, refreshToken: string): Promise<number | undefined> {
  const client = steamUser(platform);
  client.logOn({ refreshToken });
  return refusalOf(client);
}

it('refuses a token whose time is over', async () => {
  const platform = await testPlatform();
  expect(await refusal(platform, platform.refreshToken('host', { lifetimeDays: -1 }))).toBe(27);
});

it('refuses a good token when its clock runs 201 days ahead, and takes it again once the clock is right', async () => {
  const platform = await testPlatform();
  const token = platform.refreshToken('host');
  platform.faults.clockSkewMs = 201 * dayMs;
  expect(await refusal(platform, token)).toBe(27);
  platform.faults.clear();
  const client = steamUser(platform);
  client.logOn({ refreshToken: token });
  await once(client, 'loggedOn');
});

it('refuses a token that somebody has altered', async () => {
  const platform = await testPlatform();
  const [header, , signature] = platform.refreshToken('host').split('.');
  const [, payload] = platform.refreshToken('guest').split('.');
  expect(await refusal(platform, `${header}.${payload}.${signature}`)).toBe(5);
});

it('refuses the token of another platform, and takes one of its own from before a restart', async () => {
  const before = await testPlatform({ seed: 'one' });
  const other = await testPlatform({ seed: 'two' });
  const restarted = await testPlatform({ seed: 'one' });
  expect(await refusal(restarted, other.refreshToken('host'))).toBe(5);
  const client = steamUser(restarted);
  client.logOn({ refreshToken: before.refreshToken('host') });
  await once(client, 'loggedOn');
});

it('refuses a revoked token, and no other one of that account', async () => {
  const platform = await testPlatform();
  const token = platform.refreshToken('host');
  platform.revoke(token);
  expect(await refusal(platform, token)).toBe(15);
  await loggedOn(platform, 'host');
});

it('refuses every token from before a password change', async () => {
  const platform = await testPlatform();
  const token = platform.refreshToken('host');
  platform.revokeAll('host');
  expect(await refusal(platform, token)).toBe(15);
  await loggedOn(platform, 'host');
});

it('renews a token over the session of its account, and the old one is dead from then on', async () => {
  const platform = await testPlatform({ renewal: 'always' });
  const old = platform.refreshToken('host');
  const client = steamUser(platform, { renewRefreshTokens: true });
  client.logOn({ refreshToken: old });
  const [renewed]: string[] = await once(client, 'refreshToken');
  expect(renewed).not.toBe(old);
  expect(await refusal(platform, old)).toBe(15);
  const again = steamUser(platform);
  again.logOn({ refreshToken: renewed ?? '', logonID: 7 });
  await once(again, 'loggedOn');
});

it.each([
  [200, false],
  [10, true],
])('renews a token of %i days: %s, as only the end that is near counts', async (lifetimeDays, renews) => {
  const platform = await testPlatform();
  const client = steamUser(platform, { renewRefreshTokens: true });
  let renewed = false;
  client.on('refreshToken', () => {
    renewed = true;
  });
  client.logOn({ refreshToken: platform.refreshToken('host', { lifetimeDays }) });
  // Once for the renewal, once more for the web session that follows it.
  await once(client, 'webSession');
  expect(renewed).toBe(renews);
});

it('renews a client’s token over nothing but its account’s own session', async () => {
  const platform = await testPlatform({ renewal: 'always' });
  const session = loginSession(platform);
  session.refreshToken = platform.refreshToken('host');
  await expect(session.renewRefreshToken()).rejects.toMatchObject({ eresult: 15 });
});

it('can refuse every renewal', async () => {
  const platform = await testPlatform({ renewal: 'never' });
  const client = await loggedOn(platform, 'host', { renewRefreshTokens: true });
  const renewals: string[] = [];
  client.on('refreshToken', (token: string) => renewals.push(token));
  await once(client, 'webSession');
  expect(renewals).toEqual([]);
});
