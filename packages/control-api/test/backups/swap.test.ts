import { mkdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import {
  clearStages,
  comingIn,
  makeStages,
  rollForward,
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

it('does nothing in a place whose stage is gone, whatever lies there by now', async () => {
  using directory = temporaryDirectory();
  const places = await staged(directory.path);
  await rollForward(places);
  await clearStages(places);
  plant(join(directory.path, 'one'), { 'Left/Left': 'made since' });
  const since = standing(places);
  await rollForward(places);
  await takeBack(places);
  expect(standing(places)).toEqual(since);
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
