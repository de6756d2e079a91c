import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '@steward/service-kit/secret';
import { Program } from '@steward/testing/program';
import { describe, expect, it } from 'vitest';
import { ConfiguredAccount } from '../src/session/configured-account.ts';
import { Emulated } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const logon = { path: 'ClientLogon' };
const dayMs = 86_400_000;

/** A platform on which time passes between one token and the next. */
async function platformInTime() {
  let now = Date.now();
  const world = await Emulated.start({ now: () => now });
  return {
    world,
    platform: world.platform,
    parts: { platform: world.platform, directory: world.directory, username: 'ann' },
    later(ms: number) {
      now += ms;
    },
  };
}

function remembered(directory: string): string {
  return readFileSync(join(directory, 'seeds.json'), 'utf8');
}

it('a token from the environment is used once, kept, renewed, and not tried again', async () => {
  const { world, platform, parts } = await platformInTime();
  await using _ = world;
  const token = platform.refreshToken('ann', { lifetimeDays: 20 });
  {
    await using sidecar = await LocalSidecar.start({ ...parts, token });
    await sidecar.statusWhere(({ token_days_remaining = 0 }) => token_days_remaining > 100);
    const { steamId } = platform.accounts.get('ann');
    expect(sidecar.log.join('')).toContain(`PLATFORM_REFRESH_TOKEN belongs to the account ${steamId}`);
  }
  const kept = await world.savedToken('ann');
  expect(kept).not.toBe(token);
  expect(remembered(world.directory)).toContain('"taken-up"');
  expect(remembered(world.directory)).not.toContain(token.slice(-40));
  const before = platform.record.count(logon);
  await using again = await LocalSidecar.start({ ...parts, token });
  const { reason } = await again.until('logged-in');
  expect(reason).toBe('Logged in with the saved session');
  expect(platform.record.count(logon)).toBe(before + 1);
});

describe('the token that was issued later wins', () => {
  it('where it is the one in the environment', async () => {
    const { world, platform, parts, later } = await platformInTime();
    await using _ = world;
    await world.saveSession('ann');
    later(dayMs);
    const token = platform.refreshToken('ann');
    await using sidecar = await LocalSidecar.start({ ...parts, token });
    await expect.poll(() => world.savedToken('ann')).toBe(token);
    expect(await sidecar.status()).toMatchObject({ state: 'logged-in' });
  });

  it('where it is the saved one; the other is there for when that is refused', async () => {
    const { world, platform, parts, later } = await platformInTime();
    await using _ = world;
    const token = platform.refreshToken('ann');
    later(dayMs);
    const saved = await world.saveSession('ann');
    {
      await using sidecar = await LocalSidecar.start({ ...parts, token });
      expect((await sidecar.until('logged-in')).reason).toBe('Logged in with the saved session');
    }
    platform.revoke(saved);
    await using sidecar = await LocalSidecar.start({ ...parts, token });
    expect((await sidecar.until('logged-in')).reason).toContain('PLATFORM_REFRESH_TOKEN');
  });
});

it('a token that was refused is not tried again, over restarts too; another one is', async () => {
  const { world, platform, parts } = await platformInTime();
  await using _ = world;
  const token = platform.refreshToken('ann');
  platform.revoke(token);
  for (const reason of [/no longer accepts/, /refused it before/, /refused it before/]) {
    await using sidecar = await LocalSidecar.start({ ...parts, token });
    const status = await sidecar.until('credentials-refused');
    expect(status.reason).toMatch(reason);
    expect(status.remedy).toContain('Put a new token into PLATFORM_REFRESH_TOKEN');
  }
  expect(platform.record.count(logon)).toBe(1);
  await using sidecar = await LocalSidecar.start({ ...parts, token: platform.refreshToken('ann') });
  await sidecar.until('logged-in');
});

it('a token that was taken up is tried once more where its session is gone', async () => {
  const { world, platform, parts } = await platformInTime();
  await using _ = world;
  const token = platform.refreshToken('ann');
  {
    await using sidecar = await LocalSidecar.start({ ...parts, token, username: 'an' });
    await expect.poll(() => readdirSync(world.directory)).toContain('seeds.json');
    await sidecar.until('logged-in');
  }
  // Whoever mends a name that was wrong has no session by the right one.
  {
    await using sidecar = await LocalSidecar.start({ ...parts, token });
    expect((await sidecar.until('logged-in')).reason).toContain('PLATFORM_REFRESH_TOKEN');
  }
  rmSync(join(world.directory, 'session-an.json'));
  platform.revoke(token);
  const before = platform.record.count(logon);
  for (const reason of [/no longer accepts/, /refused it before/]) {
    await using sidecar = await LocalSidecar.start({ ...parts, token });
    expect((await sidecar.until('credentials-refused')).reason).toMatch(reason);
  }
  expect(platform.record.count(logon)).toBe(before + 1);
});

it('a token of an account that is banned for now is tried again', async () => {
  const { world, platform, parts } = await platformInTime();
  await using _ = world;
  const token = platform.refreshToken('ann');
  platform.faults.add({ when: logon, times: 1, fault: { eresult: 17 } });
  {
    await using sidecar = await LocalSidecar.start({ ...parts, token });
    await sidecar.until('credentials-refused');
  }
  await using sidecar = await LocalSidecar.start({ ...parts, token });
  expect((await sidecar.until('logged-in')).reason).toContain('PLATFORM_REFRESH_TOKEN');
});

it('without a name it is saved under the account’s id, and makes one account with what somebody logs in', async () => {
  const { world, platform, later } = await platformInTime();
  await using _ = world;
  const { directory } = world;
  const token = platform.refreshToken('ann');
  {
    await using sidecar = await LocalSidecar.start({ platform, directory, token });
    await expect.poll(() => readdirSync(directory)).toContain('seeds.json');
    await sidecar.until('logged-in');
  }
  expect(readdirSync(directory)).toContain(`session-${platform.accounts.get('ann').steamId}.json`);
  later(dayMs);
  await world.saveSession('ann');
  await using sidecar = await LocalSidecar.start({ platform, directory });
  await sidecar.until('logged-in');
});

describe('taking a token up', () => {
  const steps = 10;
  const moments = [
    ...Array.from({ length: steps }, (_, index) => ({ killAt: index + 1, manner: 'before' })),
    ...[2, 7].map((killAt) => ({ killAt, manner: 'halfway' })),
  ];

  async function takeUp(directory: string, token: string, killAt: number, manner: string): Promise<Program> {
    const args = [directory, token, String(killAt), manner];
    const program = new Program('packages/platform-auth/test/world/killed-take-up.ts', args);
    await program.exited;
    return program;
  }

  it('has as many steps as are tried here', async () => {
    await using world = await Emulated.start();
    const { stdout } = await takeUp(world.directory, world.platform.refreshToken('ann'), 0, 'before');
    expect(stdout).toEqual([`taken up in ${steps} steps`]);
  });

  it.each(moments)('killed at step $killAt ($manner), loses nothing', async ({ killAt, manner }) => {
    const { world, platform, later } = await platformInTime();
    await using _ = world;
    const saved = await world.saveSession('ann');
    later(dayMs);
    const token = platform.refreshToken('ann');
    const killed = await takeUp(world.directory, token, killAt, manner);
    expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' });
    const settings = {
      PLATFORM_USERNAME: 'ann',
      PLATFORM_PASSWORD: undefined,
      PLATFORM_REFRESH_TOKEN: new Secret(token),
    };
    const account = new ConfiguredAccount(settings, world.store);
    const found = (await account.sources()).map((source) =>
      source.kind === 'password' ? '' : source.token.reveal(),
    );
    // It goes first wherever it is, and what was saved before it goes only once it is there.
    expect(found).toEqual(killAt < 5 ? [token, saved] : [token]);
    await account.takeUp(new Secret(token));
    expect(await world.savedToken('ann')).toBe(token);
    expect((await account.sources()).map(({ kind }) => kind)).toEqual(['saved-session']);
  });
});
