import { mkdirSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import {
  clearStages,
  comingIn,
  finishStages,
  makeStages,
  rollForward,
  StageMissing,
  type SwapPlace,
  type SwapSteps,
  stageName,
  swapSteps,
  takeBack,
} from '../../src/backups/restore/swap.ts';
import { plant, treeOf } from './stage/trees.ts';

const old = {
  'Farm/Farm': 'old',
  'Farm/gone': 'old',
  'Kept/Kept': 'kept',
  'file.json': 'old',
  'Left/Left': 'old',
};
const coming = { 'Farm/Farm': 'new', 'Farm/deep/er': 'new', 'Come/Come': 'new', 'file.json': 'new' };
const names = { coming: ['Farm', 'Come', 'file.json'], leaving: ['Left', 'Nowhere'] };

async function staged(root: string): Promise<readonly SwapPlace[]> {
  const places = ['one', 'two'].map((name) => ({ root: join(root, name), ...names }));
  for (const { root: place } of places) {
    mkdirSync(place);
    plant(place, old);
  }
  await makeStages(places);
  for (const { root: place } of places) plant(comingIn(place), coming);
  return places;
}

function standing(places: readonly SwapPlace[]) {
  return places.map(({ root }) => treeOf(root, [stageName]));
}

/** What a process that is killed before its step of that number leaves: the step never ends, and nothing comes after it. */
async function killedAt(fatal: number, work: (steps: SwapSteps) => Promise<void>): Promise<boolean> {
  let number = 0;
  return new Promise<boolean>((resolve, reject) => {
    const counted =
      <Args extends unknown[]>(step: (...args: Args) => Promise<void>) =>
      (...args: Args): Promise<void> => {
        number += 1;
        if (number !== fatal) return step(...args);
        resolve(true);
        return new Promise<never>(() => {});
      };
    const { rename: move, remove, flush } = swapSteps;
    work({ rename: counted(move), remove: counted(remove), flush: counted(flush) }).then(
      () => resolve(false),
      reject,
    );
  });
}

async function expected() {
  using directory = temporaryDirectory();
  const places = await staged(directory.path);
  const before = standing(places);
  await rollForward(places);
  const after = standing(places);
  await clearStages(places);
  expect(Object.keys(after[0] ?? {})).toEqual([
    'Come',
    'Come/Come',
    'Farm',
    'Farm/Farm',
    'Farm/deep',
    'Farm/deep/er',
    'Kept',
    'Kept/Kept',
    'file.json',
  ]);
  expect(standing(places)).toEqual(after);
  return { before, after };
}

const both = { forward: rollForward, back: takeBack };

it.each([
  ['forward', 'forward'],
  ['forward', 'back'],
  ['back', 'back'],
  ['back', 'forward'],
] as const)(
  'a swap that is killed at any step on its way %s can be taken %s whole',
  async (first, second) => {
    const { before, after } = await expected();
    let wasKilled = true;
    for (let fatal = 1; wasKilled; fatal += 1) {
      using directory = temporaryDirectory();
      const places = await staged(directory.path);
      if (first === 'back') await rollForward(places);
      wasKilled = await killedAt(fatal, (steps) => both[first](places, steps));
      // The second is killed once, too.
      await killedAt(1 + (fatal % 7), (steps) => both[second](places, steps));
      await both[second](places);
      expect(standing(places), `${fatal}`).toEqual(second === 'forward' ? after : before);
      await both[second](places);
      expect(standing(places)).toEqual(second === 'forward' ? after : before);
    }
  },
);

it.each([
  ['rollForward', rollForward],
  ['takeBack', takeBack],
] as const)(
  '%s moves nothing anywhere while a stage is missing, as that of a volume that is not mounted, and goes on once it is there',
  async (_name, swap) => {
    const { before, after } = await expected();
    using directory = temporaryDirectory();
    const places = await staged(directory.path);
    const [, second] = places;
    if (swap === takeBack) await rollForward(places);
    const asideOf = `${second?.root}.aside`;
    await rename(`${second?.root}`, asideOf);
    mkdirSync(`${second?.root}`);
    const unmounted = standing(places);
    await expect(swap(places)).rejects.toThrow(StageMissing);
    expect(standing(places)).toEqual(unmounted);
    rmdirSync(`${second?.root}`);
    await rename(asideOf, `${second?.root}`);
    await swap(places);
    expect(standing(places)).toEqual(swap === takeBack ? before : after);
  },
);

it.each(['', 'coming', 'leaving'])('follows no link in place of a folder of the stage: %j', async (name) => {
  using directory = temporaryDirectory();
  const places = await staged(directory.path);
  const elsewhere = join(directory.path, 'elsewhere');
  plant(elsewhere, { 'Left/Left': 'of somebody else', 'Farm/Farm': 'of somebody else' });
  const link = join(`${places[1]?.root}`, stageName, name);
  rmSync(link, { recursive: true });
  symlinkSync(elsewhere, link);
  const before = [treeOf(elsewhere), standing(places)];
  await expect(rollForward(places)).rejects.toThrow(StageMissing);
  await expect(takeBack(places)).rejects.toThrow(StageMissing);
  expect([treeOf(elsewhere), standing(places)]).toEqual(before);
});

it('follows no link in place of a folder that is swapped', async () => {
  using directory = temporaryDirectory();
  const places = await staged(directory.path);
  const { root = '' } = places[1] ?? {};
  await rename(root, `${root}.aside`);
  const elsewhere = join(directory.path, 'elsewhere');
  plant(elsewhere, old);
  await makeStages([{ root: elsewhere, ...names }]);
  plant(comingIn(elsewhere), coming);
  symlinkSync(elsewhere, root);
  const before = standing(places);
  for (const work of [finishStages, rollForward, takeBack])
    await expect(work(places)).rejects.toThrow(StageMissing);
  expect(standing(places)).toEqual(before);
});

it('says what a disk has against it', async () => {
  using directory = temporaryDirectory();
  const places = await staged(directory.path);
  const steps = {
    ...swapSteps,
    rename: async (from: string, to: string) => {
      if (to.endsWith('Come')) throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
      await rename(from, to);
    },
  };
  await expect(rollForward(places, steps)).rejects.toThrow('EROFS');
});

it('has what was unpacked on the disk, and the folders that it lies in, before anybody notes that it is to be put in place', async () => {
  using directory = temporaryDirectory();
  const places = await staged(directory.path);
  const flushed: string[] = [];
  await finishStages(places, { flush: async (path) => void flushed.push(path) });
  expect(flushed).toEqual(
    places.flatMap(({ root }) => [
      comingIn(root),
      join(root, stageName, 'leaving'),
      join(root, stageName),
      root,
    ]),
  );
});
