import { expect, test } from 'vitest';
import { chunkFormats } from '../src/depot/chunk/chunk-format.ts';
import { contentOf, type Depot } from '../src/depot/depot.ts';
import { buildGame, gameAppId } from '../src/depot/game/build-game.ts';
import { programLike } from '../src/depot/game/generated-content.ts';
import { makeDepot } from '../src/depot/make-depot.ts';
import { loggedOn } from './clients/steam-user.ts';
import { testPlatform } from './clients/test-platform.ts';

// The library gives a host up at its first error and fails when it has none left, so it gets plenty.
const hostCount = 12;

async function client(depot: Depot) {
  const platform = await testPlatform({
    apps: [{ appId: gameAppId, name: 'Farm', depots: [{ depot }] }],
    contentHosts: Array.from({ length: hostCount }, (_, index) => ({ name: `host ${index}` })),
  });
  const { faults, record } = platform;
  const user = await loggedOn(platform, 'host');
  const { manifest } = await user.getManifest(gameAppId, depot.depotId, depot.manifestId, 'public');
  return { user, manifest, faults, record };
}

test.each(chunkFormats)('the library downloads a file of %s chunks', async (format) => {
  // Small, as the library's own VZ decoder needs a second for each megabyte.
  const content = programLike(`download ${format}`, 40_000).read(0, 40_000);
  const depot = makeDepot({ depotId: 11, name: 'one file', osList: 'linux', format }, [
    { kind: 'file', name: 'Content\\file.xnb', content },
  ]);
  const { user, manifest } = await client(depot);
  const [file] = manifest.files;
  if (file === undefined) throw new Error('the manifest is empty');
  expect(file.filename).toBe('Content\\file.xnb');
  expect((await user.downloadFile(gameAppId, 11, file)).file.equals(content)).toBe(true);
});

test('the library downloads every file of the game, over scripted errors too', async () => {
  const { linux } = buildGame({ seed: 'library', bytes: 1_000_000, format: 'zip' });
  const { user, manifest, faults, record } = await client(linux);
  // A few chunks are refused and a few connections cut; most files are one chunk, so no file meets two of them.
  faults.add({ when: { kind: 'chunk' }, nth: [3, 15, 27, 39], fault: { status: 503 } });
  faults.add({ when: { kind: 'chunk' }, nth: [7, 19, 31, 43], fault: { resetAtByte: 5 } });
  let compared = 0;
  for (const [index, file] of linux.files.entries()) {
    const told = manifest.files[index];
    if (file.kind !== 'file' || told === undefined) continue;
    const { file: downloaded } = await user.downloadFile(gameAppId, linux.depotId, told);
    const content = contentOf(file.content);
    expect(downloaded.equals(content.read(0, content.size)), file.name).toBe(true);
    compared++;
  }
  expect(compared).toBeGreaterThan(100);
  expect(record.matching({ kind: 'chunk' }).filter(({ outcome }) => outcome === 503)).toHaveLength(4);
});
