import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { LocalDownload } from './world/local-download.ts';
import { twoVersions } from './world/small-depots.ts';

const [first, second] = twoVersions();

it('what an update removes is not removed behind a link that has come in its folder’s place', async () => {
  using world = new LocalDownload();
  world.content.publish(gameAppId, [first]);
  await world.run();
  world.content.publish(gameAppId, [second]);
  using elsewhere = temporaryDirectory();
  const mine = join(elsewhere.path, 'mine');
  renameSync(join(world.directory, 'Old'), mine);
  symlinkSync(mine, join(world.directory, 'Old'));
  mkdirSync(join(mine, 'only/empty'));
  expect((await world.plan()).toRemove).toBe(3);
  await world.run();
  expect(readdirSync(mine, { recursive: true }).toSorted()).toEqual(['only', 'only/empty', 'only/here.txt']);
  expect(world.tree['Old']).toBe(`link to ${mine}`);
  const { wasThere } = await world.run({ verify: true });
  expect(wasThere).toBe(true);
});

it('a file may come where folders in folders were', async () => {
  using world = new LocalDownload();
  const file = (name: string) => ({ kind: 'file', name, content: Buffer.from(name) }) as const;
  const depot = (name: string) => makeDepot({ depotId: 413_153, name, format: 'zip' }, [file(name)]);
  for (const name of ['was/deep/inside.txt', 'was']) {
    world.content.publish(gameAppId, [depot(name)]);
    await world.run();
  }
  expect(Object.keys(world.tree)).toEqual(['was']);
  expect(existsSync(join(world.directory, '.download-manifest-413150'))).toBe(true);
});
