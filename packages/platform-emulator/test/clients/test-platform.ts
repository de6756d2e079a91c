import { onTestFinished } from 'vitest';
import { startPlatform } from '../../src/platform.ts';
import type { PlatformOptions } from '../../src/platform-options.ts';
import type { Platform } from '../../src/running-platform.ts';
import { trust } from '../../src/trust.ts';

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
