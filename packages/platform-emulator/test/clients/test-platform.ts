import { startPlatform } from '@steward/platform-emulator/platform';
import type { PlatformOptions } from '@steward/platform-emulator/platform-options';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { onTestFinished } from 'vitest';
import { trust } from './trust.ts';

export const gameApp = 413150;

/** A platform of one test's own, trusted by this process and closed at the test's end. */
export async function testPlatform(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const platform = await startPlatform({
    accounts: [
      { name: 'host', password: 'pw', owns: [gameApp] },
      { name: 'guest', password: 'pw', owns: [gameApp] },
      { name: 'stranger', password: 'pw' },
    ],
    seed: 'test',
    pollIntervalSeconds: 0.02,
    ...options,
  });
  onTestFinished(() => platform.close());
  trust(platform);
  return platform;
}
