import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { Emulated } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const dayMs = 86_400_000;
const pollMs = 5_000;
const logon = { path: 'ClientLogon' };

/** A farm that was begun from a token alone: its session is called by the account's id. */
async function seeded() {
  let now = Date.now();
  const world = await Emulated.start({ now: () => now });
  const { platform, directory } = world;
  const token = platform.refreshToken('ann');
  const start = (rest: Partial<Parameters<typeof LocalSidecar.start>[0]> = {}) =>
    LocalSidecar.start({ platform, directory, ...rest });
  await using sidecar = await start({ token });
  await expect.poll(() => readdirSync(directory)).toContain('seeds.json');
  await sidecar.until('logged-in');
  const [id = ''] = readdirSync(directory).filter((name) => name.startsWith('session-'));
  now += dayMs;
  return { world, token, start, id };
}

describe('a session that was seeded without a name', () => {
  it.each([['stays in the environment'], ['was taken away']])(
    'gives way to one that somebody logs in, where the token %s',
    async (which) => {
      const { world, token, start } = await seeded();
      await using _ = world;
      const { platform, store } = world;
      const [old] = await store.list();
      platform.revoke(old?.token.reveal() ?? '');
      const clock = new ManualClock(new Date());
      const parts = which === 'was taken away' ? { clock } : { token, clock };
      {
        await using sidecar = await start(parts);
        await sidecar.until('credentials-refused');
        await world.saveSession('ann');
        clock.advance(pollMs);
        await sidecar.until('logged-in');
      }
      const before = platform.record.count(logon);
      await using sidecar = await start(parts);
      await sidecar.until('logged-in');
      expect(platform.record.count(logon)).toBe(before + 1);
    },
  );

  it('is found once PLATFORM_USERNAME is set as well', async () => {
    const { world, token, start } = await seeded();
    await using _ = world;
    await using sidecar = await start({ token, username: 'Ann' });
    const status = await sidecar.until('logged-in');
    expect(status.reason).toContain('the saved session');
    expect(status.warnings).toBeUndefined();
  });

  it('is found once PLATFORM_USERNAME is set, also where PLATFORM_REFRESH_TOKEN is no token any more', async () => {
    const { world, start } = await seeded();
    await using _ = world;
    await using sidecar = await start({ token: 'changeme', username: 'Ann' });
    expect((await sidecar.until('logged-in')).reason).toContain('the saved session');
  });
});

describe('a session that was seeded without a name, once PLATFORM_USERNAME stands alone in the environment', () => {
  it('is found', async () => {
    const { world, start } = await seeded();
    await using _ = world;
    await using sidecar = await start({ username: 'Ann' });
    expect((await sidecar.until('logged-in')).reason).toContain('the saved session');
  });

  it('gives way to one that somebody logs in under that name, whoever’s it was', async () => {
    const { world, start } = await seeded();
    await using _ = world;
    const bobs = await world.saveSession('bob');
    await using sidecar = await start({ username: 'bob' });
    await sidecar.until('logged-in');
    const { platform_id: id } = (await sidecar.get('/platform/app-ticket')).json();
    expect(id).toBe(String(world.platform.accounts.get('bob').steamId));
    expect(await world.savedToken('bob')).toBe(bobs);
  });

  it.each([
    ['where it is known to be another’s', 'ann', {}, 'no-account'],
    ['where a password says whose is meant', '', { password: 'pass-of-bob' }, 'logged-in'],
  ] as const)('is left alone %s', async (_where, alsoSavedAs, rest, state) => {
    const { world, start } = await seeded();
    await using _ = world;
    if (alsoSavedAs !== '') await world.saveSession(alsoSavedAs);
    await using sidecar = await start({ username: 'bob', ...rest });
    expect((await sidecar.until(state)).reason).not.toContain('the saved session');
  });

  it('is left alone where there are such of two accounts', async () => {
    const { world, start } = await seeded();
    await using _ = world;
    await world.saveSession(
      String(world.platform.accounts.get('bob').steamId),
      world.platform.refreshToken('bob'),
    );
    await using sidecar = await start({ username: 'ann' });
    await sidecar.until('no-account');
  });
});

it('a token that is another account’s than PLATFORM_USERNAME is not saved under that name', async () => {
  await using world = await Emulated.start();
  const { platform, directory } = world;
  await world.saveSession('bob');
  await using sidecar = await LocalSidecar.start({
    platform,
    directory,
    token: platform.refreshToken('bob'),
    username: 'ann',
  });
  await sidecar.until('logged-in');
  await sidecar.sidecar.stop();
  expect(readdirSync(directory)).toEqual(['session-bob.json']);
});

it('a token takes the place of a later session that the platform has refused, which no restart tries again', async () => {
  let now = Date.now();
  await using world = await Emulated.start({ now: () => now });
  const { platform, directory } = world;
  const token = platform.refreshToken('ann');
  now += dayMs;
  platform.revoke(await world.saveSession('ann'));
  const parts = { platform, directory, token, username: 'ann' };
  {
    await using sidecar = await LocalSidecar.start(parts);
    await sidecar.until('logged-in');
    await expect.poll(() => world.savedToken('ann')).toBe(token);
  }
  const before = platform.record.count(logon);
  await using sidecar = await LocalSidecar.start(parts);
  expect((await sidecar.until('logged-in')).reason).toContain('the saved session');
  expect(platform.record.count(logon)).toBe(before + 1);
});

it('what is no token, a password in its place say, leaves no hash on the disk', async () => {
  await using world = await Emulated.start();
  const { platform, directory } = world;
  {
    await using sidecar = await LocalSidecar.start({ platform, directory, token: 'hunter2' });
    await sidecar.until('credentials-refused');
  }
  expect(existsSync(join(directory, 'seeds.json'))).toBe(false);
});

it('a token is kept and renewed, too, where a newer version has written what became of others', async () => {
  await using world = await Emulated.start();
  const { platform, directory } = world;
  const token = platform.refreshToken('ann', { lifetimeDays: 20 });
  const newer = '{"version":2}\n';
  writeFileSync(join(directory, 'seeds.json'), newer);
  await using sidecar = await LocalSidecar.start({ platform, directory, token, username: 'ann' });
  const { warnings } = await sidecar.statusWhere(
    ({ token_days_remaining = 0, warnings: told }) => token_days_remaining > 100 || told !== undefined,
  );
  expect(warnings).toBeUndefined();
});
