import { startPlatform } from '@steward/platform-emulator/platform';
import { trust } from '@steward/platform-emulator/trust';
import { Changes } from '@steward/testing/changes';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { LocalSidecar } from './world/local-sidecar.ts';

it('rests after a login, and after a download, however that ended: what they needed is collected then', async () => {
  await using platform = await startPlatform({ accounts: [{ name: 'ann', password: 'x', owns: [413_150] }] });
  trust(platform);
  using directory = temporaryDirectory();
  const changes = new Changes();
  let rests = 0;
  await using sidecar = await LocalSidecar.start({
    platform,
    directory: directory.path,
    token: platform.refreshToken('ann'),
    rests() {
      rests += 1;
      changes.told();
    },
  });
  const until = (times: number) =>
    changes.until(() => rests === times || undefined, { missing: () => `it rested ${rests} times` });
  expect(rests).toBe(0);
  await until(1);
  await sidecar.sidecar.app.inject({ method: 'POST', url: '/download' });
  await until(2);
});
