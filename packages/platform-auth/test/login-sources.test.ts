import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { Emulated } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const minuteMs = 60_000;

describe('the order', () => {
  it('is the token issued last, the other one, password, and a dead one gives way to the next', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const token = platform.refreshToken('ann');
    const saved = await world.saveSession('ann');
    platform.revoke(token);
    platform.revoke(saved);
    const parts = { platform, directory, token, username: 'ann', password: 'pass-of-ann' };
    await using sidecar = await LocalSidecar.start(parts);
    const status = await sidecar.until('logged-in');
    expect(status.reason).toContain('PLATFORM_PASSWORD');
    expect(platform.record.count({ path: 'ClientLogon' })).toBe(3);
    // What the password brought is saved, so that the next start needs no password.
    expect(await world.savedToken('ann')).not.toBe(saved);
  });

  it('ends with the password, also where a saved session alone tells whose it is beside a token', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const token = platform.refreshToken('ann');
    platform.revoke(token);
    platform.revoke(await world.saveSession('ann'));
    const parts = { platform, directory, token, password: 'pass-of-ann' };
    await using sidecar = await LocalSidecar.start(parts);
    expect((await sidecar.until('logged-in')).reason).toContain('PLATFORM_PASSWORD');
  });

  it('ends with one clear state when all are dead, and goes on when another process saves a session', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    platform.revoke(await world.saveSession('ann'));
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ platform, directory, clock });
    const status = await sidecar.until('credentials-refused');
    expect(status.remedy).toContain('platform-auth login');
    clock.advance(60 * minuteMs);
    expect(platform.record.count({ path: 'ClientLogon' })).toBe(1);
    await world.saveSession('ann');
    clock.advance(5_000);
    await sidecar.until('logged-in');
  });
});

describe('a password', () => {
  it('of an account with a second factor is a dead credential that names the login command', async () => {
    await using world = await Emulated.start();
    await using sidecar = await LocalSidecar.start({
      platform: world.platform,
      directory: world.directory,
      username: 'guarded',
      password: 'pass-of-guarded',
    });
    const status = await sidecar.until('credentials-refused');
    expect(status.reason).toContain('second factor');
    expect(status.remedy).toContain('platform-auth login');
    expect(world.platform.record.count({ path: 'ClientLogon' })).toBe(0);
  });

  it('that is wrong is tried once', async () => {
    await using world = await Emulated.start();
    const clock = new ManualClock(new Date());
    const parts = { platform: world.platform, directory: world.directory, clock };
    await using sidecar = await LocalSidecar.start({ ...parts, username: 'ann', password: 'wrong' });
    expect((await sidecar.until('credentials-refused')).remedy).toContain('PLATFORM_PASSWORD');
    clock.advance(60 * minuteMs);
    const begun = { path: 'Authentication.BeginAuthSessionViaCredentials' };
    expect(world.platform.record.count(begun)).toBe(1);
  });
});

it('a password logs in again where the platform has ended the session that it brought, as when somebody logs out everywhere', async () => {
  const revoked = 26;
  await using world = await Emulated.start();
  const { platform, directory } = world;
  const clock = new ManualClock(new Date());
  const parts = { platform, directory, clock, username: 'ann', password: 'pass-of-ann' };
  await using sidecar = await LocalSidecar.start(parts);
  await sidecar.until('logged-in');
  const first = await world.savedToken('ann');
  clock.advance(10 * minuteMs);
  platform.revokeAll('ann');
  const left = sidecar.until('logging-in');
  platform.kick('ann', revoked);
  await left;
  await sidecar.until('logged-in');
  expect(await world.savedToken('ann')).not.toBe(first);
  const begun = { path: 'Authentication.BeginAuthSessionViaCredentials' };
  expect(platform.record.count(begun)).toBe(2);
});

it('a token of another account than PLATFORM_USERNAME is used, and warned of without a name', async () => {
  await using world = await Emulated.start();
  const { platform, directory } = world;
  await world.saveSession('ann');
  const parts = { platform, directory, token: platform.refreshToken('bob'), username: 'ann' };
  await using sidecar = await LocalSidecar.start(parts);
  const { warnings } = await sidecar.until('logged-in');
  expect(warnings?.join()).toMatch(/is from another account than PLATFORM_USERNAME/);
  expect(warnings?.join()).not.toMatch(/\b(ann|bob)\b/);
});

it.each<[string, (world: Emulated, sidecar: LocalSidecar) => unknown]>([
  ['while the session is up', () => {}],
  [
    'while it is lost',
    async ({ platform }, sidecar) => {
      platform.dropConnections();
      await sidecar.until('retrying');
    },
  ],
])(
  'a token that differs from a wrong saved session is no longer warned of once somebody has logged in by hand: %s',
  async (_, before) => {
    let date = Date.now() - 24 * 60 * minuteMs;
    await using world = await Emulated.start({ now: () => date });
    const { platform, directory } = world;
    await world.saveSession('ann', platform.refreshToken('bob'));
    const clock = new ManualClock(new Date());
    const parts = { platform, directory, token: platform.refreshToken('ann'), username: 'ann', clock };
    await using sidecar = await LocalSidecar.start(parts);
    const { warnings } = await sidecar.until('logged-in');
    expect(warnings?.join()).toContain('is from another account than PLATFORM_USERNAME');
    await before(world, sidecar);
    date += 24 * 60 * minuteMs;
    await world.saveSession('ann');
    clock.advance(5_000);
    const status = await sidecar.statusWhere((each) => each.warnings === undefined);
    expect(status).toMatchObject({ state: 'logged-in' });
  },
);

describe('without PLATFORM_USERNAME', () => {
  it('the only saved session is used, and stays the account when another appears', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ platform, directory, clock });
    await sidecar.until('no-account');
    await world.saveSession('ann');
    clock.advance(5_000);
    await sidecar.until('logged-in');
    await world.saveSession('bob');
    platform.kick('ann', 20);
    await sidecar.until('retrying');
    clock.advance(10_000);
    await sidecar.until('logged-in');
    expect(platform.online.map(({ name }) => name)).toEqual(['ann']);
  });

  it('the only saved session is used also beside a PLATFORM_REFRESH_TOKEN that is no token', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    await world.saveSession('ann');
    await using sidecar = await LocalSidecar.start({ platform, directory, token: 'changeme' });
    expect((await sidecar.until('logged-in')).reason).toBe('Logged in with the saved session');
  });

  it('several saved sessions stop the start, naming them', async () => {
    await using world = await Emulated.start();
    await world.saveSession('ann');
    await world.saveSession('bob');
    const start = LocalSidecar.start({ platform: world.platform, directory: world.directory });
    await expect(start).rejects.toThrow(/PLATFORM_USERNAME.*ann, bob/);
  });

  it('a password stops the start, unless a saved session says whose it is', async () => {
    await using world = await Emulated.start();
    const parts = { platform: world.platform, directory: world.directory, password: 'pass-of-ann' };
    await expect(LocalSidecar.start(parts)).rejects.toThrow(/PLATFORM_USERNAME/);
    await world.saveSession('ann');
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ ...parts, clock });
    await sidecar.until('logged-in');
  });
});

it('never says whose session it is', async () => {
  await using world = await Emulated.start();
  await world.saveSession('ann');
  await using sidecar = await LocalSidecar.start({ platform: world.platform, directory: world.directory });
  await sidecar.until('logged-in');
  for (const url of ['/health', '/metrics', '/platform/lobby'])
    expect((await sidecar.get(url)).body).not.toMatch(/\bann\b/);
});
