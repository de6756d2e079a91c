import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { freeSpaceCheck, gameDirectoryCheck } from '../src/commands/doctor/checks/disk.ts';
import { gameFilesCheck } from '../src/commands/doctor/checks/game-files.ts';
import { variables } from '../src/configuration.ts';
import { GameFiles, type GameFilesParts } from '../src/download/background/game-files.ts';
import { Places } from '../src/download/names/places.ts';
import { downloadTree } from '../src/download/run/download.ts';
import { completeInterrupted } from '../src/download/run/interrupted.ts';
import type { PlatformSession } from '../src/platform/platform-session.ts';
import { LocalDownload } from './world/local-download.ts';

const game = { seed: 'shared', bytes: 1_000_000 };

/** A service on the game's directory, which brings the files or only reads them. */
function service(world: LocalDownload, clock: ManualClock, parts: Partial<GameFilesParts>) {
  const places = new Places(world.directory);
  const incomplete = vi.fn();
  const done = Promise.withResolvers<void>();
  const files = new GameFiles({
    places,
    session: () => ({}) as PlatformSession,
    download: (_session, events, signal) =>
      downloadTree(world.choice(), world.parts({ events, signal, command: 'serve' })),
    complete: () => completeInterrupted(places, 'serve', () => clock.date()),
    isOn: true,
    update: () => undefined,
    staging: async () => undefined,
    clock,
    random: () => 0,
    listener: {
      stage() {},
      planned() {},
      warning() {},
      progress() {},
      failed() {},
      incomplete,
      done: () => done.resolve(),
    },
    ...parts,
  });
  return { files, incomplete, done: done.promise };
}

/** Everything below a directory, with when it was changed last, access left out. */
function stateOf(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true })
    .map((name) => {
      const { ctimeMs, size, mode } = lstatSync(join(directory, String(name)));
      return `${name} ${ctimeMs} ${size} ${mode}`;
    })
    .toSorted();
}

it('services that do not download neither write nor lock, and see the files the moment they are there', async () => {
  using world = new LocalDownload(game);
  const clock = new ManualClock(new Date());
  const readers = [1, 2, 3].map(() => service(world, clock, { isOn: false }).files);
  const answers = () => Promise.all(readers.map((files) => files.answer()));
  const before = stateOf(world.directory);
  for (const files of readers) {
    await files.start();
    files.loggedIn();
  }
  for (const answer of await answers())
    expect(answer).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('PLATFORM_DOWNLOAD is off'),
    });
  expect(stateOf(world.directory)).toEqual(before);
  clock.advance(3_600_000);
  const writer = service(world, clock, {});
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  world.content.beforeChunk = () => {
    reached.resolve();
    return goOn.promise;
  };
  writer.files.loggedIn();
  await reached.promise;
  for (const answer of await answers())
    expect(answer).toMatchObject({
      state: 'downloading',
      reason: expect.stringContaining('platform-auth serve'),
    });
  goOn.resolve();
  await writer.done;
  const published = stateOf(world.directory);
  for (const answer of await answers())
    expect(answer).toMatchObject({ state: 'whole', since: clock.date().toISOString() });
  clock.advance(600_000);
  for (const files of readers) await files.stop();
  expect(stateOf(world.directory)).toEqual(published);
  await writer.files.stop();
});

it('a read-only directory that is whole is told of once, and used', async () => {
  using world = new LocalDownload(game);
  await world.run();
  const clock = new ManualClock(new Date());
  const checkWritable = async () => {
    throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
  };
  const { files, incomplete } = service(world, clock, { checkWritable });
  await files.start();
  files.loggedIn();
  clock.advance(3_600_000);
  expect(await files.answer()).toMatchObject({ state: 'whole' });
  expect(incomplete.mock.calls).toMatchObject([
    [{ reason: expect.stringContaining('EROFS'), remedy: expect.stringContaining('PLATFORM_DOWNLOAD=off') }],
  ]);
  const off = service(world, clock, { checkWritable, isOn: false });
  await off.files.start();
  expect(off.incomplete).not.toHaveBeenCalled();
  await files.stop();
});

it('the doctor finds nothing wrong with a directory that another service fills', async () => {
  using world = new LocalDownload(game);
  using elsewhere = temporaryDirectory();
  const looks = async (gameDirectory: string) => {
    const configuration = readConfiguration(variables, {
      GAME_DIR: gameDirectory,
      SESSION_DIR: elsewhere.path,
      PLATFORM_DOWNLOAD: 'off',
    });
    const checks = [gameDirectoryCheck, freeSpaceCheck, gameFilesCheck];
    return Promise.all(checks.map(async (check) => (await check.examine({ configuration })).finding));
  };
  const missing = join(elsewhere.path, 'not mounted');
  expect(await looks(missing)).toMatchObject([
    { status: 'warning', found: expect.stringContaining('PLATFORM_DOWNLOAD is off') },
    { status: 'ok' },
    { status: 'warning', found: expect.stringContaining('PLATFORM_DOWNLOAD is off') },
  ]);
  mkdirSync(missing);
  await world.run();
  const found = await looks(world.directory);
  expect(found).toMatchObject([
    { status: 'ok', found: expect.stringContaining('only read') },
    { status: 'ok', found: expect.not.stringContaining('GAME_DIR') },
    { status: 'ok', found: expect.stringMatching(/^complete/) },
  ]);
});
