import { once } from 'node:events';
import { expect, it } from 'vitest';
import { LogonLimit } from '../src/authentication/login-limit.ts';
import { loggedOn, steamUser } from './clients/steam-user.ts';
import { testPlatform } from './clients/test-platform.ts';

it('refuses an address that logs on too often, whatever the accounts, and longer with each attempt', async () => {
  let now = Date.now();
  const limit = { burst: 2, everyMs: 10_000, blockMs: 60_000 };
  const platform = await testPlatform({ logonLimit: limit, now: () => now });
  const refused = async () => {
    const client = steamUser(platform);
    client.logOn({ refreshToken: platform.refreshToken('stranger') });
    await expect(once(client, 'loggedOn')).rejects.toMatchObject({ eresult: 84 });
  };
  await loggedOn(platform, 'host');
  await loggedOn(platform, 'guest');
  await refused();
  now += 59_000;
  await refused();
  now += 60_001;
  await loggedOn(platform, 'stranger');
});

it('is what reports of the real one add up to', () => {
  const allowedBefore84 = (apartMs: number): number => {
    let now = 0;
    const limit = new LogonLimit({}, () => now);
    let count = 0;
    while (count < 1_000 && limit.allows()) {
      count += 1;
      now += apartMs;
    }
    return count;
  };
  expect(allowedBefore84(0)).toBe(8);
  expect(allowedBefore84(5_000)).toBeGreaterThan(60);
  expect(allowedBefore84(5_000)).toBeLessThan(90);
  expect(allowedBefore84(10_000)).toBe(1_000);
});
