import { cpSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMarker } from '../src/download/kept/marker.ts';
import { Places } from '../src/download/names/places.ts';
import { DownloadWorld } from './world/download-world.ts';
import { treeOn } from './world/game-tree.ts';
import { interruptingDisk } from './world/interrupting-disk.ts';
import { LocalDownload } from './world/local-download.ts';
import { PublishedGame } from './world/published-game.ts';

const [first, second] = PublishedGame.small();

/** A GAME_DIR with the first version. */
const whole = LocalDownload.small();
beforeAll(async () => {
  await whole.run();
});
afterAll(() => whole[Symbol.dispose]());

it.each([
  ['SIGINT', 130, /this is finished first[\s\S]*platform-auth: Interrupted: the game is complete$/m],
  ['SIGTERM', 143, /this is finished first[\s\S]*platform-auth: SIGTERM: the game is complete$/m],
] as const)(
  '%s while files are moved into place leaves a game that can start',
  async (signal, exitCode, words) => {
    await using world = await DownloadWorld.start(first);
    cpSync(whole.directory, world.game, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
    second.on(world.platform);
    const { code, stderr } = await world.run([], interruptingDisk(signal));
    expect(await readMarker(new Places(world.game))).toBeDefined();
    expect(treeOn(world.game)).toEqual(second.expected());
    expect([code, stderr]).toEqual([exitCode, expect.stringMatching(words)]);
  },
);

it('Ctrl-C while an interrupted run is completed leaves it complete, before anybody logs in', async () => {
  await using world = await DownloadWorld.start(first);
  const places = new Places(world.game);
  expect(await world.run([], interruptingDisk('SIGKILL'))).toMatchObject({ code: null });
  expect(await readMarker(places)).toBeUndefined();
  const { code, stderr } = await world.run([], interruptingDisk('SIGINT'));
  expect(await readMarker(places)).toBeDefined();
  expect(treeOn(world.game)).toEqual(first.expected());
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/Interrupted: what an interrupted run had begun is complete\. Run/),
  ]);
  expect(world.platform.record.count({ path: 'ClientLogon' })).toBe(1);
});

it('Ctrl-C while files are moved that the disk then refuses does not say that the game is complete', async () => {
  await using world = await DownloadWorld.start(first);
  const { code, stderr } = await world.run([], interruptingDisk('SIGINT', 'EIO'));
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/Interrupted: the files could not all be moved into place\. Run/),
  ]);
  expect(await world.run()).toMatchObject({ code: 0 });
  expect(treeOn(world.game)).toEqual(first.expected());
});
