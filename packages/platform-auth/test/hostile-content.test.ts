import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import {
  hostileDepots,
  hostileLinks,
  hostileNames,
  innocentName,
} from '@steward/platform-emulator/depot/hostile-depots';
import { describe, expect, it } from 'vitest';
import type { ManifestFile } from '../src/download/manifest/manifest.ts';
import { LocalDownload } from './world/local-download.ts';

const depots = hostileDepots(413_153);
const collisions = [
  'names that differ in case',
  'names that differ in Unicode form',
  'the same name twice',
  'the same name with either separator',
  'file under a file',
  'file under a link',
  'chain of links that leads out',
];
const byName = [...Object.keys(hostileNames), ...Object.keys(hostileLinks), ...collisions];

async function refuses(world: LocalDownload): Promise<void> {
  await expect(world.run({ skipSdk: true })).rejects.toThrow(/not safe to follow: "/);
  expect(readdirSync(world.directory)).toEqual(['.download']);
  expect(readdirSync(join(world.directory, '.download')).toSorted()).toEqual(['holder.json', 'lock']);
  expect(world.takeFetched()).toEqual([]);
}

it.each(byName)(
  'a list with this danger is refused whole, before anything is written: %s',
  async (danger) => {
    using world = new LocalDownload();
    const depot = depots.get(danger);
    if (depot === undefined) throw new Error(`the emulator has no such depot: ${danger}`);
    world.content.publish(gameAppId, [depot]);
    await refuses(world);
  },
);

describe('a list that lies about a file', () => {
  const id = 'a'.repeat(40);
  const chunk = { id, offset: 0, bytes: 10, storedBytes: 10 };
  const honest: ManifestFile = {
    name: 'file.bin',
    bytes: 10,
    kind: 'file',
    executable: false,
    chunks: [chunk],
  };
  const lies: Readonly<Record<string, Partial<ManifestFile>>> = {
    'of an exabyte': { bytes: 2 ** 60 },
    'smaller than its chunks': { bytes: 1 },
    'without chunks': { chunks: [] },
    'with a chunk beyond its end': { chunks: [{ ...chunk, offset: 10 }] },
    'with a gap': { bytes: 30, chunks: [chunk, { ...chunk, offset: 20 }] },
    'with overlapping chunks': { bytes: 20, chunks: [chunk, { ...chunk, offset: 5 }] },
    'with the same chunk twice': { chunks: [chunk, chunk] },
    'with a chunk of no bytes': { bytes: 0, chunks: [{ ...chunk, bytes: 0 }] },
    'with a chunk of 4 GiB': { bytes: 0xffffffff, chunks: [{ ...chunk, bytes: 0xffffffff }] },
    'with a chunk that has a fraction of a byte': { bytes: 9.5, chunks: [{ ...chunk, bytes: 9.5 }] },
    'with a chunk whose hash is short': { chunks: [{ ...chunk, id: 'abc' }] },
    'with a hash of its own that is another': { sha1: 'b'.repeat(40) },
    'that is a directory with content': { kind: 'directory' },
    'that is a link without a target': { kind: 'link', chunks: [], bytes: 0 },
    'that is the downloader’s own lock': { name: '.download/lock' },
    'that is the marker': { name: '.download-manifest-413150' },
    'in the SDK’s folder': { name: '.STEAM-SDK/linux64/steamclient.so' },
  };

  it.each(Object.keys(lies))('%s is refused', async (lie) => {
    using world = new LocalDownload();
    const files = [
      { ...honest, name: innocentName },
      { ...honest, ...lies[lie] },
    ];
    world.content.publishManifests(gameAppId, [
      { appId: gameAppId, depotId: 413_153, manifestId: '1', files },
    ]);
    await refuses(world);
  });
});

it('refuses a danger in a file that the filter would leave out', async () => {
  using world = new LocalDownload();
  const file = { bytes: 0, kind: 'file', executable: false, chunks: [] } as const;
  const files = [{ ...file, name: '../Text.de-DE.xnb' }];
  world.content.publishManifests(gameAppId, [{ appId: gameAppId, depotId: 413_153, manifestId: '1', files }]);
  await refuses(world);
});

it('keeps a whole tree when the update of it is hostile', async () => {
  using world = new LocalDownload({ seed: 'hostile', bytes: 1_000_000 });
  await world.run();
  const before = world.tree;
  const depot = depots.get('parent directory');
  if (depot === undefined) throw new Error('no such depot');
  world.content.publish(gameAppId, [depot]);
  await expect(world.run()).rejects.toThrow(/"\.\.\/outside\.txt" leads out of its folder/);
  expect(world.tree).toEqual(before);
  expect(readdirSync(world.directory)).toContain('.download-manifest-413150');
});
