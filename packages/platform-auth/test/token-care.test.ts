import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import { fileSteps } from '@steward/service-kit/files/replace-file';
import { createLogger } from '@steward/service-kit/log/logger';
import { Secret } from '@steward/service-kit/secret';
import type { SessionStatus } from '@steward/shared/sidecar/health';
import { ManualClock } from '@steward/testing/manual-clock';
import { systemError } from '@steward/testing/system-error';
import { describe, expect, it } from 'vitest';
import { SteamPlatform } from '../src/platform/steam-platform.ts';
import { savedSession } from '../src/session/login-source.ts';
import { readRefreshToken } from '../src/session/refresh-token.ts';
import { SessionLog } from '../src/session/session-log.ts';
import { TokenCare } from '../src/session/token-care.ts';
import { SessionStore } from '../src/tokens/session-store.ts';
import { Emulated } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';
import { through } from './world/through.ts';

const renewal = { path: 'Authentication.GenerateAccessTokenForApp' };
const dayMs = 86_400_000;

describe('a saved session near its end', () => {
  it('is renewed, on the disk before it is used, and the old token is gone', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const old = await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 20 }));
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ platform, directory, clock });
    const status = await sidecar.statusWhere(({ token_days_remaining = 0 }) => token_days_remaining > 100);
    expect(status.state).toBe('logged-in');
    const renewed = await world.savedToken('ann');
    expect(renewed).not.toBe(old);
    platform.kick('ann', 20);
    await sidecar.until('retrying');
    clock.advance(10_000);
    await sidecar.until('logged-in');
  });

  it('is asked about once a day and not at every login', async () => {
    await using world = await Emulated.start({ renewal: 'never' });
    const { platform, directory } = world;
    await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 30 }));
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ platform, directory, clock });
    await platform.record.seen(renewal, 1);
    platform.kick('ann', 20);
    await sidecar.until('retrying');
    clock.advance(10_000);
    await sidecar.until('logged-in');
    expect(platform.record.count(renewal)).toBe(1);
    clock.advance(dayMs);
    await platform.record.seen(renewal, 2);
  });

  it('is asked about every day, although a timer may be early by a fraction of a millisecond', async () => {
    await using world = await Emulated.start({ renewal: 'never' });
    const { platform, directory } = world;
    await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 30 }));
    const manual = new ManualClock(new Date());
    const clock: Clock = {
      now: () => manual.now(),
      date: () => manual.date(),
      after: (ms, action) => manual.after(ms === dayMs ? ms - 0.5 : ms, action),
    };
    await using sidecar = await LocalSidecar.start({ platform, directory, clock });
    await sidecar.until('logged-in');
    for (const day of [1, 2, 3]) {
      await platform.record.seen(renewal, day);
      manual.advance(dayMs - 0.5);
    }
    await platform.record.seen(renewal, 4);
    expect(platform.record.count(renewal)).toBe(4);
  });

  it('that the platform refuses to renew goes on as it is', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const token = await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 5 }));
    platform.faults.add({ when: renewal, fault: { eresult: 15 } });
    await using sidecar = await LocalSidecar.start({ platform, directory });
    const status = await sidecar.statusWhere(({ warnings = [] }) => warnings.length > 0);
    expect(status).toMatchObject({ state: 'logged-in', token_days_remaining: 4 });
    expect(status.warnings?.join()).toContain('platform-auth login');
    expect(await world.savedToken('ann')).toBe(token);
  });

  it('gives way to the one that somebody logged in by hand, and so does its warning, without another logon', async () => {
    await using world = await Emulated.start({ renewal: 'never' });
    const { platform, directory } = world;
    await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 10 }));
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ platform, directory, clock });
    const warned = await sidecar.statusWhere(({ warnings = [] }) => warnings.length > 0);
    expect(warned.warnings?.join()).toContain('expires in 9 days: run `platform-auth login` before that');
    await world.saveSession('ann');
    clock.advance(5_000);
    const status = await sidecar.statusWhere(({ token_days_remaining = 0 }) => token_days_remaining > 100);
    expect(status).toMatchObject({ state: 'logged-in' });
    expect(status).not.toHaveProperty('warnings');
    expect(platform.record.count({ path: 'ClientLogon' })).toBe(1);
  });

  it('is not said to be renewed where somebody has logged in by hand before the platform answered', async () => {
    await using world = await Emulated.start({ renewal: 'always' });
    const { platform, directory } = world;
    await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 10 }));
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    platform.faults.add({ when: renewal, times: 1, fault: { until } });
    const clock = new ManualClock(new Date());
    const sidecar = await LocalSidecar.start({ platform, directory, clock });
    await platform.record.seen(renewal);
    const byHand = await world.saveSession('ann');
    clock.advance(5_000);
    await sidecar.statusWhere(({ token_days_remaining = 0 }) => token_days_remaining > 100);
    answer();
    await sidecar[Symbol.asyncDispose]();
    expect(sidecar.log.join('')).not.toMatch(/was renewed|refresh token expires/);
    expect(await world.savedToken('ann')).toBe(byHand);
  });

  it('that nobody has renewed is said to have expired, and when', async () => {
    await using world = await Emulated.start({ renewal: 'never' });
    const { platform, directory } = world;
    await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 1 }));
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ platform, directory, clock });
    await sidecar.statusWhere(({ warnings = [] }) => warnings.join().includes('expires in 0 days'));
    for (const days of [1, 2]) {
      clock.advance(dayMs);
      const said = `The refresh token expired ${days === 1 ? '1 day' : '2 days'} ago: run \`platform-auth login\``;
      const status = await sidecar.statusWhere(({ warnings = [] }) => warnings.join().includes(said));
      expect(status.warnings).toEqual([said]);
    }
  });

  it('is not renewed while its new token could not be saved: the old one would be dead', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const old = await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 20 }));
    platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { latencyMs: 100 } });
    {
      await using sidecar = await LocalSidecar.start({ platform, directory });
      await platform.record.seen({ path: 'ClientLogon' });
      const allowWrites = refuseWrites(directory);
      await sidecar.statusWhere(({ warnings = [] }) =>
        warnings.some((text) => text.includes('due for renewal')),
      );
      allowWrites();
    }
    expect(platform.record.count(renewal)).toBe(0);
    await world.saveSession('ann', old);
    await using again = await LocalSidecar.start({ platform, directory });
    await again.statusWhere(({ token_days_remaining = 0 }) => token_days_remaining > 100);
  });

  it('is not renewed while its own file cannot be replaced, as where that is a mount of its own', async () => {
    await using world = await Emulated.start();
    const { platform } = world;
    const old = await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 20 }));
    const rename = () => Promise.reject(systemError(constants.errno.EBUSY, 'rename'));
    const warnings = await caredFor(world, old, { ...fileSteps, rename });
    expect(warnings).toEqual([expect.stringMatching(/due for renewal.*\(EBUSY\)/)]);
    expect(platform.record.count(renewal)).toBe(0);
    expect(await world.savedToken('ann')).toBe(old);
  });

  it('is not renewed where somebody has logged in by hand, although nobody has looked there yet', async () => {
    await using world = await Emulated.start();
    const { platform } = world;
    const byHand = await world.saveSession('ann');
    expect(await caredFor(world, platform.refreshToken('ann', { lifetimeDays: 20 }))).toEqual([]);
    expect(platform.record.count(renewal)).toBe(0);
    expect(await world.savedToken('ann')).toBe(byHand);
  });

  it('is no longer said to wait for the disk once that is fixed, also where the platform sees no need to renew it', async () => {
    await using world = await Emulated.start({ renewal: 'never' });
    const { platform, directory } = world;
    await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 30 }));
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ platform, directory, clock });
    await platform.record.seen(renewal, 1);
    const allowWrites = refuseWrites(directory);
    clock.advance(dayMs);
    await sidecar.statusWhere(({ warnings = [] }) => warnings.join().includes('due for renewal'));
    allowWrites();
    clock.advance(dayMs);
    await platform.record.seen(renewal, 2);
    expect(await sidecar.status()).not.toHaveProperty('warnings');
  });

  it('whose renewal cannot be saved is kept and saved when the disk allows it', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const old = await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 20 }));
    const clock = new ManualClock(new Date());
    const remove = platform.faults.add({ when: renewal, fault: { latencyMs: 100 } });
    await using sidecar = await LocalSidecar.start({ platform, directory, clock });
    await platform.record.seen(renewal);
    const allowWrites = refuseWrites(directory);
    await sidecar.statusWhere(({ warnings = [] }) =>
      warnings.some((text) => text.includes('could not be saved')),
    );
    expect(await world.savedToken('ann')).toBe(undefined);
    allowWrites();
    remove();
    clock.advance(5_000);
    await sidecar.statusWhere(({ token_days_remaining = 0 }) => token_days_remaining > 100);
    expect(await world.savedToken('ann')).not.toBe(old);
  });
});

it('a login that could not be saved is told of until one is', async () => {
  await using world = await Emulated.start();
  const { platform, directory } = world;
  const clock = new ManualClock(new Date());
  const allowWrites = refuseWrites(directory);
  const account = { username: 'ann', password: 'pass-of-ann' };
  await using sidecar = await LocalSidecar.start({ platform, directory, clock, ...account });
  const warnings = async () => (await sidecar.until('logged-in')).warnings?.join(' ') ?? '';
  expect(await warnings()).toContain('could not be saved in SESSION_DIR');
  allowWrites();
  platform.dropConnections();
  await sidecar.until('retrying');
  clock.advance(2_000);
  expect(await warnings()).not.toContain('could not be saved');
  expect(await world.savedToken('ann')).toBeDefined();
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
  'a login that could not be saved is no longer told of once somebody has logged in by hand: %s',
  async (_, before) => {
    let date = Date.now() - dayMs;
    await using world = await Emulated.start({ now: () => date });
    const { platform, directory } = world;
    const clock = new ManualClock(new Date());
    const allowWrites = refuseWrites(directory);
    const account = { username: 'ann', password: 'pass-of-ann' };
    await using sidecar = await LocalSidecar.start({ platform, directory, clock, ...account });
    const isToldOf = ({ warnings = [] }: SessionStatus) => warnings.join().includes('could not be saved');
    expect(isToldOf(await sidecar.until('logged-in'))).toBe(true);
    allowWrites();
    await before(world, sidecar);
    date += dayMs;
    await world.saveSession('ann');
    clock.advance(5_000);
    const status = await sidecar.statusWhere((each) => !isToldOf(each));
    expect(status).toMatchObject({ state: 'logged-in' });
  },
);

// The platform's answer is the only place where the new token is, and the old one is dead.
describe('a renewal under way', () => {
  async function renewing(world: Emulated): Promise<{ old: string; sidecar: LocalSidecar }> {
    const { platform, directory } = world;
    const old = await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 20 }));
    platform.faults.add({ when: renewal, times: 1, fault: { latencyMs: 200 } });
    const sidecar = await LocalSidecar.start({ platform, directory });
    await platform.record.seen(renewal);
    return { old, sidecar };
  }

  it('is finished, and its token saved, before the service stops', async () => {
    await using world = await Emulated.start();
    const { old, sidecar } = await renewing(world);
    await sidecar[Symbol.asyncDispose]();
    expect(await world.savedToken('ann')).not.toBe(old);
    await using again = await LocalSidecar.start(world);
    await again.until('logged-in');
  });

  it('that is answered after the limit on answers is saved all the same', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const old = await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 5 }));
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    platform.faults.add({ when: renewal, times: 1, fault: { until } });
    const clocks = { clock: new ManualClock(new Date()), platformClock: new ManualClock() };
    await using sidecar = await LocalSidecar.start({ platform, directory, ...clocks });
    await platform.record.seen(renewal);
    clocks.platformClock.advance(10_000);
    clocks.clock.advance(10_000);
    const waiting = await sidecar.status();
    expect(waiting.warnings?.join()).toContain('expires in 4 days');
    answer();
    const status = await sidecar.statusWhere(({ token_days_remaining = 0 }) => token_days_remaining > 100);
    expect(status).not.toHaveProperty('warnings');
    expect(await world.savedToken('ann')).not.toBe(old);
  });

  it('that is never answered holds up a stop no longer than the limit on answers', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 20 }));
    platform.faults.add({ when: renewal, fault: { latencyMs: 600_000 } });
    const platformClock = new ManualClock();
    const sidecar = await LocalSidecar.start({ platform, directory, platformClock });
    await platform.record.seen(renewal);
    platformClock.advance(10_000);
    await expect(sidecar[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  it('is finished although a library threw meanwhile, so that the session comes back', async () => {
    await using world = await Emulated.start();
    const { old, sidecar } = await renewing(world);
    await using _ = sidecar;
    const leak = new Error('thrown from a callback');
    leak.stack = 'Error\n    at handle (/app/node_modules/steam-user/components/messages.js:1:1)';
    expect(sidecar.sidecar.contain(leak)).toBe(true);
    await sidecar.statusWhere(({ token_days_remaining = 0 }) => token_days_remaining > 100);
    expect(await world.savedToken('ann')).not.toBe(old);
  });

  it('that a full disk kept from being saved is saved by the stop at the latest', async () => {
    await using world = await Emulated.start();
    const { old, sidecar } = await renewing(world);
    const allowWrites = refuseWrites(world.directory);
    await sidecar.statusWhere(({ warnings = [] }) =>
      warnings.some((text) => text.includes('could not be saved')),
    );
    allowWrites();
    await sidecar[Symbol.asyncDispose]();
    const saved = await world.savedToken('ann');
    expect(saved).toBeDefined();
    expect(saved).not.toBe(old);
  });
});

describe('a token from the environment', () => {
  it('that cannot be kept is never renewed, and told of with the day on which it ends', async () => {
    await using world = await Emulated.start({ renewal: 'always' });
    const { platform, directory } = world;
    const clock = new ManualClock(new Date());
    const token = platform.refreshToken('ann', { lifetimeDays: 3 });
    const allowWrites = refuseWrites(directory);
    const parts = { platform, directory, token, username: 'ann', clock };
    await using sidecar = await LocalSidecar.start(parts);
    const status = await sidecar.statusWhere(({ warnings = [] }) =>
      warnings.some((text) => text.includes('cannot be saved')),
    );
    expect(status).toMatchObject({ state: 'logged-in' });
    const ends = readRefreshToken(new Secret(token));
    const day = ends.ok ? ends.value.expiresAt.toISOString().slice(0, 10) : '';
    expect(status.warnings?.join()).toContain(`ends on ${day}`);
    expect(platform.record.count(renewal)).toBe(0);
    // Once the disk takes it, it is as good as one that was logged in by hand.
    allowWrites();
    clock.advance(dayMs);
    await platform.record.seen(renewal);
    await sidecar.statusWhere(({ warnings = [] }) => !warnings.join().includes('cannot be saved'));
    expect(await world.savedToken('ann')).toBeDefined();
  });

  it.each<[string, (world: Emulated, sidecar: LocalSidecar, clock: ManualClock) => unknown]>([
    ['on the next day', (_world, _sidecar, clock) => clock.advance(dayMs)],
    [
      'at its next login',
      async ({ platform }, sidecar, clock) => {
        platform.dropConnections();
        await sidecar.until('retrying');
        clock.advance(2_000);
      },
    ],
  ])(
    'that could not be kept is no longer told of once somebody has logged in by hand: %s',
    async (_, then) => {
      let date = Date.now() - 2 * dayMs;
      await using world = await Emulated.start({ renewal: 'never', now: () => date });
      const { platform, directory } = world;
      const clock = new ManualClock(new Date());
      const token = platform.refreshToken('ann', { lifetimeDays: 5 });
      const allowWrites = refuseWrites(directory);
      const parts = { platform, directory, token, username: 'ann', clock };
      await using sidecar = await LocalSidecar.start(parts);
      const isToldOf = ({ warnings }: SessionStatus) => warnings?.join().includes('cannot be saved') ?? false;
      await sidecar.statusWhere(isToldOf);
      allowWrites();
      date += dayMs;
      await world.saveSession('ann');
      await then(world, sidecar, clock);
      await sidecar.statusWhere((status) => !isToldOf(status));
      expect(await sidecar.status()).toMatchObject({ state: 'logged-in' });
    },
  );
});

/** One look after a session of ann with this token, on such a disk. Resolves to what is warned of then. */
async function caredFor(world: Emulated, text: string, steps = fileSteps): Promise<readonly string[]> {
  const { platform, directory } = world;
  const token = new Secret(text);
  const steam = new SteamPlatform({ proxy: through(platform.proxyUrl), logonId: 1, clock: systemClock });
  const session = await steam.logOn(token);
  const clock = new ManualClock(new Date());
  const logger = createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr);
  const log = new SessionLog(logger);
  const care = new TokenCare({
    login: () => ({ session, token, source: savedSession('ann', token) }),
    store: new SessionStore({ directory, clock, report: () => {}, steps }),
    clock,
    takeUp: async () => undefined,
    renewed: () => {},
    log,
  });
  care.loggedIn();
  await care.stop();
  await session.close();
  return log.warnings;
}

/** Root may write anywhere, so the directory becomes something that nobody can write into. */
function refuseWrites(directory: string): () => void {
  rmSync(directory, { recursive: true });
  writeFileSync(directory, '');
  chmodSync(directory, 0o400);
  return () => rmSync(directory);
}
