import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { describe, expect, it } from 'vitest';
import { Places } from '../src/download/names/places.ts';
import { DownloadProblem } from '../src/download/problems/problem.ts';
import { LocalDownload } from './world/local-download.ts';
import { twoVersions } from './world/small-depots.ts';

const [first, second] = twoVersions();

async function withFirst(): Promise<LocalDownload> {
  const world = new LocalDownload();
  world.content.publish(gameAppId, [first]);
  await world.run();
  world.takeFetched();
  world.content.publish(gameAppId, [second]);
  return world;
}

function hasMarker(world: LocalDownload): boolean {
  return existsSync(join(world.directory, '.download-manifest-413150'));
}

describe('an update is refused while the old version is whole, and nothing fetched', () => {
  it.each([
    ['EXDEV', /"Content" in GAME_DIR is a separate mount \(EXDEV\).*use one mount for all of GAME_DIR/],
    ['EACCES', /"Content" in GAME_DIR does not let this program write \(EACCES\).*Give it to the user/],
    ['EROFS', /"Content" in GAME_DIR does not let this program write \(EROFS\)/],
  ])('where a folder cannot be published to: %s', async (code, words) => {
    using world = await withFirst();
    const before = world.tree;
    const probed: string[] = [];
    const probe = async (folder: string, work: string) => {
      probed.push(folder);
      expect(work).toBe(new Places(world.directory).work);
      return folder === join(world.directory, 'Content') ? code : undefined;
    };
    const refused = world.run({}, { probe });
    await expect(refused).rejects.toThrow(words);
    await expect(refused).rejects.toBeInstanceOf(DownloadProblem);
    expect([world.tree, hasMarker(world), world.takeFetched()]).toEqual([before, true, []]);
    await world.run({}, { probe: async (folder) => void probed.push(folder) });
    const folders = ['', 'Content', 'Old', 'Old/only', 'was-a-folder'].map((name) =>
      join(world.directory, name),
    );
    expect([...new Set(probed)].toSorted()).toEqual(folders);
  });

  it('but not where there is nothing to change', async () => {
    using world = new LocalDownload();
    world.content.publish(gameAppId, [first]);
    await world.run();
    const { wasThere } = await world.run({}, { probe: async () => 'EXDEV' });
    expect(wasThere).toBe(true);
  });
});

it('what an abandoned version left in the stage is thrown away before the room is counted', async () => {
  using world = await withFirst();
  const { stage, work } = new Places(world.directory);
  mkdirSync(stage);
  const stale = join(stage, 'f'.repeat(32));
  writeFileSync(stale, Buffer.alloc(20_000_000));
  const room = 50_000_000;
  const free = async () => room - (existsSync(stale) ? statSync(stale).size : 0);
  await world.run({}, { free });
  expect(readdirSync(work)).not.toContain('stage');
  expect(hasMarker(world)).toBe(true);
});
