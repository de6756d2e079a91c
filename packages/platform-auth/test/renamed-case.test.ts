import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { count } from '@steward/testing/scale';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Places } from '../src/download/names/places.ts';
import { completeInterrupted } from '../src/download/run/interrupted.ts';
import { caseless } from './world/caseless-disk.ts';
import type { Tree } from './world/game-tree.ts';
import { LocalDownload } from './world/local-download.ts';
import { Killed, MortalSteps } from './world/mortal-steps.ts';

vi.mock('node:fs/promises', async (original) => {
  const { onCaselessDisk } = await import('./world/caseless-disk.ts');
  return onCaselessDisk(await original());
});

afterEach(() => {
  caseless.root = '';
});

function version(name: string, spell: (name: string) => string) {
  const file = (each: string) => ({ kind: 'file', name: spell(each), content: Buffer.from(each) }) as const;
  return makeDepot({ depotId: 413_153, name, format: 'zip' }, [
    file('Game.dll'),
    file('Data/Maps/Farm.xnb'),
    { kind: 'symlink', name: spell('Lib'), target: 'other' },
    { kind: 'directory', name: spell('Mods') },
    { ...file('other'), name: 'other' },
  ]);
}

const lower = version('first', (name) => name.toLowerCase());
const upper = version('second', (name) => name);

async function beforeUpdate(knowsCase: boolean): Promise<LocalDownload> {
  const world = new LocalDownload();
  caseless.root = knowsCase ? '' : world.directory;
  world.content.publish(gameAppId, [lower]);
  await world.run();
  world.content.publish(gameAppId, [upper]);
  world.takeFetched();
  return world;
}

/** What has to be there afterwards, in the case that the disk keeps. */
function keptNames(knowsCase: boolean): readonly string[] {
  const names = ['Data', 'Data/Maps', 'Data/Maps/Farm.xnb', 'Game.dll', 'Lib', 'Mods', 'other'];
  return names.map((name) => (knowsCase ? name : name.toLowerCase())).toSorted();
}

function sizes(tree: Tree): readonly (string | undefined)[] {
  return Object.entries(tree).map(([name, what]) => `${name}: ${/^\w+ of \d+|^\w+/.exec(what)?.[0]}`);
}

describe.each([
  ['knows case', true],
  ['knows no case', false],
])('where the volume %s, a version that changes the case of names alone', (_, knowsCase) => {
  it('is there afterwards, and nothing of it was fetched', async () => {
    using world = await beforeUpdate(knowsCase);
    const { toFetch } = await world.plan();
    await world.run();
    expect(Object.keys(world.tree)).toEqual(keptNames(knowsCase));
    expect([toFetch.chunks, world.takeFetched()]).toEqual([0, []]);
    const { wasThere } = await world.run({ verify: true });
    expect(wasThere).toBe(true);
  });

  it('is there also when the update was killed at any step', async () => {
    using whole = await beforeUpdate(knowsCase);
    const counting = new MortalSteps({ atStep: 0, manner: 'before' });
    await whole.run({}, { steps: counting });
    const expected = sizes(whole.tree);
    const every = count({ small: 2, long: 1 });
    for (let atStep = 1; atStep <= counting.steps; atStep += every) {
      using world = await beforeUpdate(knowsCase);
      const dies = world.run({}, { steps: new MortalSteps({ atStep, manner: 'before' }) });
      await expect(dies).rejects.toBeInstanceOf(Killed);
      // As the service does at its start, which looks at nothing but the journal.
      const completed = await completeInterrupted(new Places(world.directory), 'serve', () => new Date());
      if (completed) expect([atStep, sizes(world.tree)]).toEqual([atStep, expected]);
      await world.run();
      expect([atStep, sizes(world.tree)]).toEqual([atStep, expected]);
      expect(existsSync(join(world.directory, '.download-manifest-413150'))).toBe(true);
      expect((await world.run({ verify: true })).wasThere).toBe(true);
    }
  });
});
