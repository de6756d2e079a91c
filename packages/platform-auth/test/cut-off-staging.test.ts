import { existsSync, readdirSync, renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { diskSteps } from '../src/download/disk/disk-steps.ts';
import { ContentError } from '../src/download/problems/problem.ts';
import { completeInterrupted } from '../src/download/run/interrupted.ts';
import { Killed, MortalSteps } from './world/mortal-steps.ts';
import { preparedUpdates, trees, type UpdateBeside } from './world/update-beside.ts';

const updates = preparedUpdates();
const cutOff = { state: 'failed', reason: 'The service was stopped while it downloaded a newer build' };

/** A download that somebody stops while it fetches, by hand or beside the game. */
async function stopped(update: UpdateBeside, stagesOnly: boolean): Promise<void> {
  update.world.content.beforeChunk = async () => {
    throw new Killed();
  };
  await expect(update.world.run({ stagesOnly })).rejects.toThrow(Killed);
  update.world.content.beforeChunk = async () => {};
}

it('is told by the service that comes after the one that was stopped over it', async () => {
  using update = updates.begun();
  await stopped(update, true);
  expect(await update.toldAtStart()).toMatchObject(cutOff);
});

it('is not told by a service that never downloads: what lies there is another one’s', async () => {
  using update = updates.begun();
  await stopped(update, true);
  update.isOn = false;
  expect(await update.toldAtStart()).toBeUndefined();
});

it('is no staging that failed for another reason, which is told until the service stops', async () => {
  using update = updates.begun();
  let chunks = 0;
  update.world.content.beforeChunk = async () => {
    chunks += 1;
    if (chunks > 1) throw new ContentError('unavailable', 'No content server has it');
  };
  await update.look(diskSteps, /No content server has it/);
  const left = readdirSync(update.places.stage);
  expect(left).not.toEqual([]);
  expect(await update.toldAtStart()).toBeUndefined();
  expect(readdirSync(update.places.stage)).toEqual(left);
});

it('is told also where the staging ended with an error because the service was stopped', async () => {
  using update = updates.begun();
  const service = update.service();
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const { promise: stopping, resolve: stop } = Promise.withResolvers<void>();
  update.world.content.beforeChunk = async () => {
    begins();
    await stopping;
    throw new Killed();
  };
  await service.look();
  await begun;
  const stopped = service.stop();
  stop();
  await stopped;
  expect(await update.toldAtStart()).toMatchObject(cutOff);
});

it('is no download by hand that somebody stopped', async () => {
  using update = updates.begun();
  await stopped(update, false);
  expect(await update.toldAtStart()).toBeUndefined();
});

it('is not what a download by hand has taken over, though that was stopped as well', async () => {
  using update = updates.begun();
  await stopped(update, true);
  await stopped(update, false);
  expect(await update.toldAtStart()).toBeUndefined();
});

it('is no staged build whose publication was cut off and completed: nothing of it is left', async () => {
  using update = updates.staged();
  renameSync(update.places.stagedBuild, update.places.journal);
  expect(await completeInterrupted(update.places, 'serve', () => new Date())).toBe(true);
  expect(update.world.tree).toEqual(trees.newer);
  expect(existsSync(update.places.stage)).toBe(false);
  expect(await update.toldAtStart()).toBeUndefined();
});

it('is no build that was published by a run that was killed before it gave back the room', async () => {
  using rehearsal = updates.begun();
  const counting = new MortalSteps({ atStep: 0, manner: 'before' });
  await rehearsal.world.run({}, { steps: counting });
  for (let last = 0; last < 3; last += 1) {
    using update = updates.begun();
    const steps = new MortalSteps({ atStep: counting.steps - last, manner: 'before' });
    await expect(update.world.run({}, { steps })).rejects.toThrow(Killed);
    await completeInterrupted(update.places, 'serve', () => new Date());
    expect(update.world.tree).toEqual(trees.newer);
    expect([last, await update.toldAtStart()]).toEqual([last, undefined]);
  }
});

it('is forgotten once another download has brought a game', async () => {
  using update = updates.begun();
  await stopped(update, true);
  const service = update.service();
  await service.start();
  expect(await update.toldBy(service)).toMatchObject(cutOff);
  await update.world.run({}, { now: () => new Date('2026-11-22T06:30:00.000Z') });
  expect(await update.toldBy(service)).toBeUndefined();
});
