import { createRequire } from 'node:module';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { trust } from '@steward/platform-emulator/trust';
import { eresult } from '@steward/platform-emulator/wire/numbers';
import { systemClock } from '@steward/service-kit/clock';
import { Secret } from '@steward/service-kit/secret';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformFailure } from '../src/platform/failure.ts';
import { failureTable } from '../src/platform/failure-table.ts';
import { SteamPlatform } from '../src/platform/steam-platform.ts';
import { through } from './world/through.ts';

const names: Readonly<Record<string, number>> = createRequire(import.meta.url)('steam-user').EResult;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ accounts: [{ name: 'ann', password: 'x', owns: [413_150] }] });
  trust(platform);
});
afterAll(() => platform.close());

function client(): SteamPlatform {
  return new SteamPlatform({ proxy: through(platform.proxyUrl), logonId: 7, clock: systemClock });
}

async function failureOfLogon(code: number) {
  const remove = platform.faults.add({ when: { path: 'ClientLogon' }, fault: { eresult: code } });
  try {
    await client().logOn(new Secret(platform.refreshToken('ann')));
    throw new Error('the platform let it in');
  } catch (error) {
    if (error instanceof PlatformFailure) return error.failure;
    throw error;
  } finally {
    remove();
  }
}

describe('a logon that the platform answers with', () => {
  const codes = Object.keys(failureTable).map(Number);
  it.each(codes)(
    'code %i ends as the failure that the table says, without a retry behind our back',
    async (code) => {
      const asked = platform.record.count({ path: 'ClientLogon' });
      const failure = await failureOfLogon(code);
      expect(failure).toMatchObject({ eresult: code, class: failureTable[code]?.class });
      expect(platform.record.count({ path: 'ClientLogon' })).toBe(asked + 1);
    },
  );
});

const notAboutLogons = ['ok', 'fileNotFound', 'duplicateRequest', 'noMatch'];
it.each(Object.entries(eresult).filter(([name]) => !notAboutLogons.includes(name)))(
  'knows the code %s (%i) that the emulated platform answers',
  (_name, code) => {
    expect(failureTable).toHaveProperty(String(code));
  },
);

it.each(Object.entries(failureTable))(
  'calls code %s by the name that the platform gives it',
  (code, { name }) => {
    expect(names[name]).toBe(Number(code));
  },
);

describe('a session that the platform ends with', () => {
  it.each([2, 3, 6, 15, 20, 34, 43, 48, 84])('code %i ends as that failure', async (code) => {
    const session = await client().logOn(new Secret(platform.refreshToken('ann')));
    platform.kick('ann', code);
    expect(await session.ended).toMatchObject({ eresult: code, class: failureTable[code]?.class });
    await session.close();
  });
});
