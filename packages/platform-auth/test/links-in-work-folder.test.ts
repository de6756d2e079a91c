import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { libraryWithExecutableStack } from '@steward/platform-emulator/depot/game/program-files';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { contentHashesName } from '../src/download/changes/content-hashes.ts';
import { changedKey, stageKey } from '../src/download/names/file-content.ts';
import { Places } from '../src/download/names/places.ts';
import { DownloadProblem } from '../src/download/problems/problem.ts';
import { completeInterrupted } from '../src/download/run/interrupted.ts';
import { expectedTree } from './world/game-tree.ts';
import { LocalDownload, quiet } from './world/local-download.ts';
import { twoVersions } from './world/small-depots.ts';

const [first] = twoVersions();
const now = () => new Date('2026-11-21T06:30:00.000Z');
const secret = 'session-ann.json';

describe('a link where the downloader has a place of its own', () => {
  it.each(['stage', 'originals', 'work'] as const)('is refused: %s', async (name) => {
    using world = new LocalDownload();
    using elsewhere = temporaryDirectory();
    const places = new Places(world.directory);
    writeFileSync(join(elsewhere.path, secret), 'secret');
    if (name !== 'work') mkdirSync(places.work);
    symlinkSync(elsewhere.path, places[name]);
    world.content.publish(gameAppId, [first]);
    for (const run of [
      () => world.run(),
      () => world.plan(),
      () => completeInterrupted(places, 'serve', now),
    ])
      await expect(run()).rejects.toThrow(/is a link where the downloader has its own folder\. Remove it/);
    expect(readdirSync(elsewhere.path)).toEqual([secret]);
  });

  it.each(['stage', 'originals'] as const)('is refused also while a run has begun: %s', async (name) => {
    using world = new LocalDownload();
    using elsewhere = temporaryDirectory();
    const places = new Places(world.directory);
    writeFileSync(join(elsewhere.path, secret), 'secret');
    world.content.publish(gameAppId, [first]);
    const stage = (reached: string) => {
      if (reached === 'checking') symlinkSync(elsewhere.path, places[name]);
    };
    await expect(world.run({}, { events: { ...quiet, stage } })).rejects.toThrow(
      /is a link where the downloader has its own folder\. Remove it/,
    );
    expect(readdirSync(elsewhere.path)).toEqual([secret]);
  });

  it.each(['holder', 'nextRecord', 'journal'] as const)('is not written through: %s', async (name) => {
    using world = new LocalDownload();
    using elsewhere = temporaryDirectory();
    const places = new Places(world.directory);
    const target = join(elsewhere.path, secret);
    writeFileSync(target, 'secret');
    mkdirSync(places.work);
    symlinkSync(target, name === 'holder' ? places.holder : `${places[name]}.new`);
    world.content.publish(gameAppId, [first]);
    await world.run().catch((error: unknown) => {
      expect(error).toBeInstanceOf(DownloadProblem);
      expect(String(error)).toMatch(/There is a link .*ELOOP.*Remove it/);
    });
    expect(readFileSync(target, 'utf8')).toBe('secret');
  });

  it('is no part that a download goes on with', async () => {
    using world = new LocalDownload();
    using elsewhere = temporaryDirectory();
    const target = join(elsewhere.path, secret);
    writeFileSync(target, 'secret');
    world.content.publish(gameAppId, [first]);
    const cut = new Error('cut');
    world.content.beforeChunk = async () => {
      throw cut;
    };
    await expect(world.run()).rejects.toThrow(cut);
    world.content.beforeChunk = async () => {};
    const places = new Places(world.directory);
    for (const folder of [places.stage, places.originals])
      for (const part of readdirSync(folder)) {
        const path = join(folder, part);
        rmSync(path);
        symlinkSync(target, path);
      }
    await world.run();
    expect(readFileSync(target, 'utf8')).toBe('secret');
    expect(world.tree['FarmGame']).toMatch(/^program of 900/);
  });
});

const list = Buffer.from('{"Same.xnb":"hash"}');
const library = libraryWithExecutableStack(programLike('library', 5000));
const same = Buffer.from('same');
const listFirst = makeDepot({ depotId: 413_153, name: 'list first', format: 'zip' }, [
  { kind: 'file', name: contentHashesName, content: list },
  { kind: 'file', name: 'libGalaxy64.so', content: library },
  { kind: 'file', name: 'Content/Same.xnb', content: same },
  { kind: 'file', name: 'last', content: Buffer.from('last') },
]);

/** Done in the work folder when all chunks but the last one are there. */
type Attack = (places: Places, target: string) => void;

function attacked(world: LocalDownload, attack: () => void): void {
  world.content.publish(gameAppId, [listFirst]);
  const lastChunk = listFirst.chunkIds.at(-1);
  world.content.beforeChunk = async (id) => {
    if (id === lastChunk) attack();
  };
}

/** Where a file of this content lies among those that are gathered. */
function partOf(places: Places, content: Buffer): string {
  const name = readdirSync(places.stage).find((each) => readFileSync(places.staged(each)).equals(content));
  if (name === undefined) throw new Error('it has not been gathered');
  return places.staged(name);
}

function listKey(places: Places): string {
  const [key] = readdirSync(places.originals);
  if (key === undefined) throw new Error('the list has not been gathered');
  return key;
}

function replaceByLink(path: string, target: string): void {
  rmSync(path);
  symlinkSync(target, path);
}

function filesWith(directory: string, text: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path, 'utf8').includes(text));
}

describe('what a game puts into the work folder while a download runs', () => {
  it.each<[string, Attack]>([
    [
      'the list of what the game has',
      (places, target) => {
        // An entry of the list stays only if there is a file of its name.
        mkdirSync(places.inTree('Content'));
        writeFileSync(places.inTree('Content/refreshToken'), '');
        replaceByLink(places.original(listKey(places)), target);
      },
    ],
    ['a file', (places, target) => replaceByLink(partOf(places, same), target)],
    [
      'a changed file',
      (places, target) => symlinkSync(target, changedKey(partOf(places, library.read(0, library.size)))),
    ],
    [
      'the published list',
      (places, target) =>
        symlinkSync(target, places.staged(changedKey(stageKey(contentHashesName, listKey(places))))),
    ],
  ])('is no way to read or change a file elsewhere, as a link in place of %s', async (_, attack) => {
    using world = new LocalDownload();
    using elsewhere = temporaryDirectory();
    const places = new Places(world.directory);
    const target = join(elsewhere.path, secret);
    const session = '{"refreshToken":"words of the session"}';
    writeFileSync(target, session, { mode: 0o600 });
    attacked(world, () => attack(places, target));
    await world.run().catch((error: unknown) => {
      expect(error).toBeInstanceOf(DownloadProblem);
      expect(String(error)).toMatch(/There is a link .*ELOOP.*Remove it/);
    });
    expect(filesWith(world.directory, 'words of the session')).toEqual([]);
    expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777]).toEqual([session, 0o600]);
    world.content.beforeChunk = async () => {};
    await world.run();
    expect(world.tree).toMatchObject(expectedTree([listFirst], [], [], () => false));
  });
});

it.each<[string, (path: string) => void]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a folder', (path) => mkdirSync(path)],
])('%s is no part that a download goes on with', async (_, put) => {
  using world = new LocalDownload();
  const places = new Places(world.directory);
  world.content.publish(gameAppId, [first]);
  const cut = new Error('cut');
  world.content.beforeChunk = async () => {
    throw cut;
  };
  await expect(world.run()).rejects.toThrow(cut);
  world.content.beforeChunk = async () => {};
  const parts = readdirSync(places.stage).map((name) => places.staged(name));
  expect(parts).not.toEqual([]);
  for (const part of parts) {
    rmSync(part);
    put(part);
  }
  await world.run();
  expect(world.tree['FarmGame']).toMatch(/^program of 900/);
});

it.each(['nextRecord', 'journal', 'nextMarker'] as const)(
  'a pipe where the downloader writes a file keeps nobody waiting: %s',
  async (name) => {
    using world = new LocalDownload();
    const places = new Places(world.directory);
    mkdirSync(places.work);
    const path = name === 'nextMarker' ? places.nextMarker : `${places[name]}.new`;
    execFileSync('mkfifo', [path]);
    world.content.publish(gameAppId, [first]);
    await expect(world.run()).rejects.toMatchObject({
      reason: expect.stringMatching(
        /^There is a pipe or a device where the downloader has its own file \(ENXIO: /,
      ),
      remedy: expect.stringMatching(/^Remove it/),
    });
  },
);

it.each(['journal', 'stagedBuild', 'marker', 'record'] as const)(
  'a pipe in place of a file of the downloader keeps nobody waiting: %s',
  async (name) => {
    using world = new LocalDownload();
    const places = new Places(world.directory);
    mkdirSync(places.work);
    execFileSync('mkfifo', [places[name]]);
    world.content.publish(gameAppId, [first]);
    await expect(world.run()).rejects.toMatchObject({
      message: expect.stringContaining(`${places[name]} cannot be read: it is not a file`),
      remedy: expect.stringMatching(/^Move it away/),
    });
  },
);
