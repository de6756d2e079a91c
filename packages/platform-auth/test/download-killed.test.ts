import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { count, scale, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { systemError } from '@steward/testing/system-error';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectedTree, treeOn } from './world/game-tree.ts';
import { LocalDownload } from './world/local-download.ts';
import { type Death, edgesOf, Killed, MortalSteps } from './world/mortal-steps.ts';
import { twoVersions } from './world/small-depots.ts';

const [first, second] = twoVersions();
const trees = {
  first: expectedTree([first], [], [], () => false),
  second: expectedTree([second], [], [], () => false),
};
/** Hundreds of downloads, on a machine that may have other things to do. */
const manyRunsMs = 1_800_000;
const never: Death = { atStep: 0, manner: 'before' };

/** A GAME_DIR with the first version, made once, of which each test has copies. */
let prepared: LocalDownload;
/** What an update of it does to the disk, step by step. */
let kinds: readonly string[];
beforeAll(async () => {
  prepared = new LocalDownload();
  prepared.content.publish(gameAppId, [first]);
  await prepared.run();
  using world = beforeUpdate();
  const counting = new MortalSteps(never);
  await world.run({}, { steps: counting });
  expect(treeOn(world.directory)).toEqual(trees.second);
  kinds = counting.kinds;
});
afterAll(() => prepared[Symbol.dispose]());

/** A GAME_DIR with the first version, while the platform has the second. */
function beforeUpdate(): LocalDownload {
  const world = prepared.copy();
  world.content.publish(gameAppId, [second]);
  return world;
}

function hasMarker(world: LocalDownload): boolean {
  return existsSync(join(world.directory, '.download-manifest-413150'));
}

async function dies(world: LocalDownload, death: Death): Promise<boolean> {
  const steps = new MortalSteps(death);
  try {
    await world.run({}, { steps });
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return true;
  }
}

function expectNoHalf(world: LocalDownload): void {
  if (!hasMarker(world)) return;
  const tree = treeOn(world.directory);
  expect([JSON.stringify(trees.first), JSON.stringify(trees.second)]).toContain(JSON.stringify(tree));
}

/** The next run ends with the whole new tree, and nothing was fetched twice on the way there. */
async function expectCompletes(world: LocalDownload): Promise<void> {
  await world.run();
  expect(world.tree).toEqual(trees.second);
  const fetched = world.takeFetched();
  expect(new Set(fetched).size).toBe(fetched.length);
}

describe('an update that is killed', () => {
  it(
    'at any step leaves the old tree, the new one, or one without marker; and goes on from there',
    async () => {
      expect(kinds.length).toBeGreaterThan(60);
      const manners = ['before', 'halfway'] as const;
      const all = kinds.map((_, index) => index + 1);
      const chosen = { small: edgesOf(kinds), long: all }[scale];
      for (const [index, atStep] of chosen.entries()) {
        // In the small run half of the ways to die: this step before, the next one halfway.
        for (const manner of manners
          .slice(count({ small: index % 2, long: 0 }))
          .slice(-count({ small: 1, long: 2 }))) {
          using world = beforeUpdate();
          expect(await dies(world, { atStep, manner })).toBe(true);
          expectNoHalf(world);
          await world.run();
          expect([atStep, manner, world.tree]).toEqual([atStep, manner, trees.second]);
          expect(hasMarker(world)).toBe(true);
          const fetched = world.takeFetched();
          expect(new Set(fetched).size).toBe(fetched.length);
          if (index % 10 === 0) expect((await world.run({ verify: true })).wasThere).toBe(true);
        }
      }
    },
    manyRunsMs,
  );

  it(
    'again and again at random steps comes to its end all the same, fetching nothing twice',
    async () => {
      const random = seededRandom(seed);
      for (let round = 0; round < count({ small: 2, long: 60 }); round += 1) {
        using world = beforeUpdate();
        for (let kill = 0; kill < 10; kill += 1) {
          const atStep = 1 + Math.floor(random() * kinds.length);
          await dies(world, { atStep, manner: random() < 0.5 ? 'before' : 'halfway' });
          expectNoHalf(world);
        }
        await expectCompletes(world);
      }
    },
    manyRunsMs,
  );

  it(
    'and meets a yet newer version ends as that one',
    async () => {
      const random = seededRandom(seed + 1);
      for (let round = 0; round < count({ small: 3, long: 200 }); round += 1) {
        using world = beforeUpdate();
        await dies(world, { atStep: 1 + Math.floor(random() * kinds.length), manner: 'halfway' });
        world.content.publish(gameAppId, [first]);
        await world.run();
        expect(world.tree).toEqual(trees.first);
      }
    },
    manyRunsMs,
  );
});

describe.each([
  ['ENOSPC', /The disk of GAME_DIR is full \(ENOSPC\)\. Free some space, then run the download again/],
  ['EDQUOT', /quota .* \(EDQUOT\)/],
  ['EROFS', /read-only file system \(EROFS\)/],
  // The first step makes GAME_DIR itself: why that cannot be is said in other words.
  ['EACCES', /does not let this program write \(EACCES\)/, /GAME_DIR \(.*\) cannot be created \(EACCES\)/],
] as const)('%s', (code, words, wordsOfFirst: RegExp = words) => {
  it(
    'at any step is told in words and loses nothing',
    async () => {
      const random = seededRandom(seed + 2);
      for (let round = 0; round < count({ small: 3, long: kinds.length }); round += 1) {
        using world = beforeUpdate();
        const atStep = 1 + Math.floor(random() * kinds.length);
        const failing = new MortalSteps({ atStep, manner: 'halfway' }, () =>
          systemError(constants.errno[code]),
        );
        await expect(world.run({}, { steps: failing })).rejects.toThrow(atStep === 1 ? wordsOfFirst : words);
        expectNoHalf(world);
        await expectCompletes(world);
      }
    },
    manyRunsMs,
  );
});

it('is refused before anything is written when the disk is too small', async () => {
  using world = beforeUpdate();
  const free = async () => 20_000_000;
  await expect(world.run({}, { free })).rejects.toThrow(
    /needs 34\.8 MB on the disk of GAME_DIR, and 20\.0 MB are free\. Free 14\.8 MB more/,
  );
  expect(treeOn(world.directory)).toEqual(trees.first);
  expect(hasMarker(world)).toBe(true);
  expect(world.takeFetched()).toEqual([]);
});
