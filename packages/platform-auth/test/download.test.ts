import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { count } from '@steward/testing/scale';
import { describe, expect, it } from 'vitest';
import { languageCodes } from '../src/download/filter/languages.ts';
import { LocalDownload } from './world/local-download.ts';

const bytes = count({ small: 600_000, long: 60_000_000 });
const game = { seed: 'download', bytes };
const markerName = '.download-manifest-413150';

const choices: readonly (readonly string[])[] = [[], ['de-DE'], ['zh-CN', 'ja-JP', 'ko-KR'], languageCodes];

it.each(choices.map((languages) => ({ languages })))(
  'ends as the depots say, without what the filter leaves out, with the languages $languages',
  async ({ languages }) => {
    using world = new LocalDownload(game);
    await world.run({ languages: languageCodes.filter((code) => languages.includes(code)) });
    expect(world.tree).toEqual(world.expected(languages));
    expect(readdirSync(join(world.directory, '.download')).toSorted()).toEqual([
      'holder.json',
      'lock',
      'originals',
      'tree.json',
    ]);
  },
);

it('goes from any set of languages to any other, fetching no more than what is new', async () => {
  using world = new LocalDownload(game);
  for (const languages of [...choices, ...choices.toReversed()]) {
    const chosen = languageCodes.filter((code) => languages.includes(code));
    const { toFetch } = await world.plan({ languages: chosen });
    await world.run({ languages: chosen });
    expect(world.tree).toEqual(world.expected(languages));
    expect(world.takeFetched()).toHaveLength(toFetch.chunks);
    const { wasThere } = await world.run({ languages: chosen });
    expect(wasThere).toBe(true);
    expect(world.takeFetched()).toEqual([]);
  }
});

it('fetches of an update only the chunks that are new, and leaves what is not its own', async () => {
  // Large enough for a file of several chunks, of which an update changes one.
  const large = { ...game, bytes: 9_000_000 };
  const choice = { keepFiles: ['Content/XACT/*'] };
  using world = new LocalDownload(large);
  await world.run(choice);
  const first = new Set(world.takeFetched());
  const save = join(world.directory, 'Content/Maps/my-own.xnb');
  writeFileSync(save, 'mine');
  mkdirSync(join(world.directory, 'Mods/Mine'));
  world.publish({ ...large, version: 2 });
  const { toFetch, reusedBytes, toRemove } = await world.plan(choice);
  expect([reusedBytes > 0, toRemove > 0]).toEqual([true, true]);
  await world.run(choice);
  const fetched = world.takeFetched();
  expect(fetched).toHaveLength(toFetch.chunks);
  expect(fetched.filter((id) => first.has(id))).toEqual([]);
  const { 'Content/Maps/my-own.xnb': mine, 'Mods/Mine': mod, ...others } = world.tree;
  expect([mine?.startsWith('file of 4,'), mod]).toEqual([true, 'directory']);
  const keepsToo = (name: string) => name.startsWith('Content/XACT/');
  expect(others).toEqual(world.expected([], { keepsToo }));
});

it('knows before it fetches what it will do, and the plan changes nothing', async () => {
  using world = new LocalDownload(game);
  const plan = await world.plan();
  expect(readdirSync(world.directory)).toEqual([]);
  expect(plan.there).toEqual({ files: 0, bytes: 0 });
  expect(plan.toWrite).toEqual(plan.kept);
  const { figures } = await world.run();
  expect(figures).toEqual(plan);
  expect((await world.plan()).there).toEqual(plan.kept);
  const kept = Object.values(world.tree).filter((line) => /^(file|program) of/.test(line));
  expect(plan.kept.files).toBe(kept.length);
});

it('says in the marker what is there, and has none until it is', async () => {
  using world = new LocalDownload(game);
  const marker = join(world.directory, markerName);
  world.content.beforeChunk = async () => expect(() => statSync(marker)).toThrow();
  await world.run({ languages: ['de-DE'] });
  const written = JSON.parse(readFileSync(marker, 'utf8'));
  const manifests = await world.content.manifestsOf(413_150);
  expect(written).toMatchObject({
    version: 1,
    apps: [
      { appId: 413_150, depots: manifests.map(({ depotId, manifestId }) => ({ depotId, manifestId })) },
      { appId: 1007 },
    ],
    languages: ['de-DE'],
    filterVersion: 1,
    downloadedAt: '2026-11-21T06:30:00.000Z',
  });
});

it('serves those who know the existing server’s layout: its marker’s fields, the id exact, and the SDK’s place', async () => {
  using world = new LocalDownload(game);
  await world.run();
  const text = readFileSync(join(world.directory, markerName), 'utf8');
  const [depot] = await world.content.manifestsOf(413_150);
  const { size } = statSync(join(world.directory, '.steam-sdk/linux64/steamclient.so'));
  expect(size).toBeGreaterThan(0);
  expect(text).toContain(`\n  "manifestId": ${depot?.manifestId},\n`);
  expect(Number.isSafeInteger(Number(depot?.manifestId))).toBe(false);
  expect(JSON.parse(text)).toMatchObject({
    appId: 413_150,
    depotId: depot?.depotId,
    targetOs: 'linux',
    totalBytes: expect.any(Number),
    totalFiles: expect.any(Number),
    downloadedAt: '2026-11-21T06:30:00.000Z',
  });
});

describe('a tree that is not as it was left', () => {
  async function damaged(world: LocalDownload) {
    await world.run();
    world.takeFetched();
    const path = (name: string) => join(world.directory, name);
    rmSync(path('FarmGame.sh'));
    writeFileSync(path('FarmGame.dll'), 'replaced');
    rmSync(path('libcoreclr.so.1'));
    return path;
  }

  it('is repaired where one sees it without reading', async () => {
    using world = new LocalDownload(game);
    await damaged(world);
    await world.run();
    expect(world.tree).toEqual(world.expected());
  });

  it('is read and repaired with verify, also where nothing but the bytes has changed', async () => {
    using world = new LocalDownload(game);
    const path = await damaged(world);
    for (const name of ['FarmGame', 'libGalaxy64.so', 'Content/ContentHashes.json']) {
      const { atime, mtime, size } = statSync(path(name));
      const content = readFileSync(path(name));
      content[size - 1] = (content[size - 1] ?? 0) ^ 1;
      writeFileSync(path(name), content);
      utimesSync(path(name), atime, mtime);
    }
    await world.run({ verify: true });
    expect(world.tree).toEqual(world.expected());
    const fetched = world.takeFetched().length;
    expect([fetched > 0, fetched < 40]).toEqual([true, true]);
    const { wasThere } = await world.run({ verify: true });
    expect([wasThere, world.takeFetched()]).toEqual([true, []]);
  });

  it('is taken over where another program downloaded it', async () => {
    using world = new LocalDownload(game);
    await world.run();
    world.takeFetched();
    rmSync(join(world.directory, '.download'), { recursive: true });
    rmSync(join(world.directory, markerName));
    await world.run();
    expect(world.tree).toEqual(world.expected());
    // What was changed on purpose is not known for that without the record: one chunk of each.
    expect(world.takeFetched()).toHaveLength(3);
  });
});

it('fetches everything again when it is told to, and of that nothing twice', async () => {
  using world = new LocalDownload(game);
  await world.run();
  const all = world.takeFetched();
  world.content.beforeChunk = async () => {
    if (world.content.fetched.length === 20) throw new Error('cut');
  };
  await expect(world.run({ again: true })).rejects.toThrow('cut');
  world.content.beforeChunk = async () => {};
  await world.run({ again: true });
  expect(world.takeFetched().toSorted()).toEqual(all.toSorted());
  expect(world.tree).toEqual(world.expected());
});

it('leaves the SDK as it is when it is told to skip it', async () => {
  using world = new LocalDownload(game);
  await world.run({ skipSdk: true });
  expect(world.tree).toEqual(world.expected([], { withSdk: false }));
  await world.run();
  expect(world.tree).toEqual(world.expected());
  world.publish({ ...game, version: 2 });
  await world.run({ skipSdk: true });
  expect(world.tree).toEqual(world.expected());
});

describe('what stands in the way', () => {
  it('is a link in the tree that a file would be written through', async () => {
    using world = new LocalDownload(game);
    using elsewhere = new LocalDownload();
    mkdirSync(join(elsewhere.directory, 'XACT'));
    symlinkSync(elsewhere.directory, join(world.directory, 'Content'));
    await expect(world.run()).rejects.toThrow(/"Content" in GAME_DIR is a link/);
    expect(readdirSync(elsewhere.directory, { recursive: true })).toEqual(['XACT']);
    expect(world.takeFetched()).toEqual([]);
  });

  it('is a folder that somebody made where the game has a file', async () => {
    using world = new LocalDownload(game);
    mkdirSync(join(world.directory, 'FarmGame/mine'), { recursive: true });
    await expect(world.run()).rejects.toThrow(/"FarmGame" in GAME_DIR is a folder/);
    expect(world.takeFetched()).toEqual([]);
  });

  it('is not a folder of mods that is a link', async () => {
    using world = new LocalDownload(game);
    using mods = new LocalDownload();
    symlinkSync(mods.directory, join(world.directory, 'Mods'));
    await world.run();
    expect(world.tree['Mods']).toBe(`link to ${mods.directory}`);
  });
});
