import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { count } from '@steward/testing/scale';
import { expect, it } from 'vitest';
import { diskSteps } from '../src/download/disk/disk-steps.ts';
import { readStagedBuild } from '../src/download/kept/journal.ts';
import { completeInterrupted } from '../src/download/run/interrupted.ts';
import { existingMarker } from './world/existing-marker.ts';
import { type Death, MortalSteps } from './world/mortal-steps.ts';
import { preparedUpdates, trees, type UpdateBeside } from './world/update-beside.ts';

const updates = preparedUpdates();
const now = () => new Date('2026-11-21T06:30:00.000Z');
const full = () => Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' });
const never: Death = { atStep: 0, manner: 'before' };
const unchanged = 'They have not changed';
const halfNew = 'the game cannot start until the update is completed';
const startable = 'The game can start, but the update is not completed: POST /download/publish completes it';

/** A disk that takes nothing any more once a file of the stage is to get its place. */
function failingAtFirstFile({ places }: UpdateBeside, then: () => void = () => {}) {
  return {
    ...diskSteps,
    async rename(from: string, to: string) {
      if (!from.startsWith(`${places.stage}/`)) return diskSteps.rename(from, to);
      then();
      throw full();
    },
  };
}

it('at whatever step the disk fails, the log says what is left of the files, and what is half new is completed later', {
  timeout: 600_000,
}, async () => {
  using prepared = updates.staged();
  using whole = prepared.copy();
  const counting = new MortalSteps(never);
  expect(await whole.publish(counting)).toBe('published');
  const seen = new Set<string>();
  for (let atStep = 1; atStep < counting.steps; atStep += count({ small: 3, long: 1 })) {
    using update = prepared.copy();
    const said = await update.publish(new MortalSteps({ atStep, manner: 'before' }, full));
    expect([atStep, said]).toEqual([atStep, expect.stringContaining('The disk of GAME_DIR is full')]);
    const isDecided = existsSync(update.places.journal);
    const canStart = (await update.marker()) !== undefined;
    const left = isDecided ? (canStart ? startable : halfNew) : unchanged;
    seen.add(left);
    expect([atStep, update.log]).toEqual([atStep, expect.stringContaining(left)]);
    if (left === unchanged)
      expect([atStep, canStart, update.world.tree]).toEqual([atStep, true, trees.older]);
    expect(update.leftForLater).toBe(1);
  }
  expect([...seen]).toEqual(expect.arrayContaining([unchanged, halfNew]));
});

it('is not called off by whoever is gone once it is decided: a disk that fails then is told', async () => {
  using update = updates.staged();
  const gone = new AbortController();
  const said = await update.publish(
    failingAtFirstFile(update, () => gone.abort()),
    gone.signal,
  );
  expect(said).toContain('The disk of GAME_DIR is full');
  expect(update.log).toContain(halfNew);
  expect(update.leftForLater).toBe(1);
  expect(await update.publish(diskSteps, gone.signal)).toBe('published');
  expect(update.world.tree).toEqual(trees.newer);
});

it('is called off until it is decided, without a word of a failure', async () => {
  using update = updates.staged();
  expect(await update.publish(diskSteps, AbortSignal.abort())).toContain('It was cancelled');
  expect([update.log, update.world.tree]).toEqual(['', trees.older]);
});

it('has a disk without room for the marker fail while the older game is whole and the newer one is staged', async () => {
  using update = updates.staged();
  const withoutRoom = { ...diskSteps, writeWhole: () => Promise.reject(full()) };
  expect(await update.publish(withoutRoom)).toContain('The disk of GAME_DIR is full');
  expect(update.log).toContain(unchanged);
  expect(await update.marker()).toBeDefined();
  expect(update.world.tree).toEqual(trees.older);
  expect(await readStagedBuild(update.places)).toBeDefined();
  expect(await update.publish(diskSteps)).toBe('published');
  expect(update.world.tree).toEqual(trees.newer);
});

it('and so does a download', async () => {
  using update = updates.begun();
  const steps = {
    ...diskSteps,
    writeWhole: (path: string, text: string | Uint8Array) =>
      path.endsWith('.marker') ? Promise.reject(full()) : diskSteps.writeWhole(path, text),
  };
  await expect(update.world.run({}, { steps })).rejects.toThrow('The disk of GAME_DIR is full');
  expect([existsSync(update.places.journal), update.world.tree]).toEqual([false, trees.older]);
  expect(await update.marker()).toBeDefined();
});

it('a search for a newer build that cannot complete an earlier one says that the game cannot start', async () => {
  using update = updates.staged();
  renameSync(update.places.stagedBuild, update.places.journal);
  await update.look(failingAtFirstFile(update), /The disk of GAME_DIR is full/);
  expect(update.log).toContain(halfNew);
  expect(update.leftForLater).toBe(1);
});

it('one whose staged files are gone counts as no game, until a download has brought what is missing', async () => {
  using update = updates.staged();
  await update.publish(failingAtFirstFile(update));
  rmSync(update.places.stage, { recursive: true });
  const completed = completeInterrupted(update.places, 'serve', now);
  await expect(completed).rejects.toThrow(/a file of it is gone from GAME_DIR\/\.download/);
  expect([await update.marker(), await completeInterrupted(update.places, 'serve', now)]).toEqual([
    undefined,
    false,
  ]);
  await update.world.run();
  expect(update.world.tree).toEqual(trees.newer);
});

it('one that is done but for its note is done, whatever has changed in its files since', async () => {
  using update = updates.staged();
  const { journal } = update.places;
  const remove = (path: string) => (path === journal ? Promise.reject(full()) : diskSteps.remove(path));
  await update.publish({ ...diskSteps, remove });
  expect(update.log).toContain(startable);
  const files = readdirSync(update.world.directory, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of files.filter(
    (each) => each.isFile() && !each.parentPath.includes('.download'),
  ))
    utimesSync(join(parentPath, name), 1, 1);
  expect(await completeInterrupted(update.places, 'serve', now)).toBe(true);
  expect(await update.marker()).toBeDefined();
});

it('brings nothing into a game that is not whole any more', async () => {
  using update = updates.staged();
  rmSync(update.places.marker);
  expect(await update.publish(diskSteps)).toContain('No newer build is ready');
  expect([await update.marker(), update.world.tree]).toEqual([undefined, trees.older]);
});

it('a service downloads no newer game where another process has completed the older one since it was missed', async () => {
  using update = updates.staged();
  expect(await update.world.run({ onlyIfMissing: true })).toMatchObject({ wasThere: true });
  expect(update.world.tree).toEqual(trees.older);
  rmSync(update.places.marker);
  expect(await update.world.run({ onlyIfMissing: true })).toMatchObject({ wasThere: false });
  expect(update.world.tree).toEqual(trees.newer);
});

it('a service leaves a game that the existing server’s own downloader has completed since it was missed', async () => {
  using update = updates.staged();
  writeFileSync(update.places.marker, existingMarker);
  expect(await update.world.run({ onlyIfMissing: true })).toMatchObject({ wasThere: true });
  expect([update.world.tree, readFileSync(update.places.marker, 'utf8')]).toEqual([
    trees.older,
    existingMarker,
  ]);
  // Somebody who asks for a download has it.
  expect(await update.world.run()).toMatchObject({ wasThere: false });
  expect(await update.marker()).toBeDefined();
  expect(update.world.tree).toEqual(trees.newer);
});

it('a volume on which every file looks like a program has the same build no second time', async () => {
  using update = updates.staged();
  await update.publish(diskSteps);
  const { directory } = update.world;
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  for (const { parentPath, name } of files) chmodSync(join(parentPath, name), 0o777);
  expect(await update.world.run({ stagesOnly: true })).toMatchObject({ wasThere: true });
  expect(await readStagedBuild(update.places)).toBeUndefined();
});

it('a stage that cannot be cleared does not make a failure of a game that is whole', async () => {
  using update = updates.staged();
  const steps = { ...diskSteps, removeDirectory: () => Promise.reject(full()) };
  expect(await update.publish(steps)).toBe('published');
  expect(update.world.tree).toEqual(trees.newer);
});
