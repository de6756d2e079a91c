import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
import { Problem } from '@steward/shared/problems/problem';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Placing, type PlacingParts, Unfinished } from '../../src/backups/restore/placing.ts';
import { checkRoom } from '../../src/backups/restore/restore-plan.ts';
import { RecordFile, type RestoreRecord } from '../../src/backups/restore/restore-record.ts';
import { comingIn, makeStages, rollForward, swapSteps } from '../../src/backups/restore/swap.ts';
import { quiet } from '../game/stage/stage.ts';
import { plant, treeOf } from './stage/trees.ts';

const backup: BackupFacts = {
  id: '20261122T190000Z-3f9a7c',
  madeAt: '2026-11-22T19:00:00.000Z',
  madeBy: '0.1.0',
  why: 'asked',
  keep: false,
  bytes: 1,
  farm: {},
  parts: ['saves'],
  all: false,
};

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory[Symbol.dispose]());

function trouble(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A swap of one farm that is about to be put in place, on a disk that takes nothing for as long as `refuses` says so. */
async function stage({ refuses }: { refuses: (from: string, to: string) => boolean }) {
  const root = join(directory.path, 'saves');
  mkdirSync(root);
  plant(root, { 'Farm/Farm': 'old', 'Other/Other': 'old' });
  const record = new RecordFile(join(directory.path, 'restore.json'));
  const swapping: RestoreRecord = {
    version: 1,
    operationId: '1',
    phase: 'swapping',
    backup,
    places: [{ root, coming: ['Farm', 'Other'], leaving: [] }],
  };
  await makeStages(swapping.places);
  plant(comingIn(root), { 'Farm/Farm': 'new', 'Other/Other': 'new' });
  const clock = new ManualClock();
  const stopping = new AbortController();
  const told: string[] = [];
  const asIs = { whileReplaced: (work: () => Promise<void>) => work() };
  const parts: PlacingParts = {
    record,
    folders: async () => [root],
    bridge: { holdGame: async (_holder, { reason }) => void told.push(reason) },
    settings: asIs,
    owners: asIs,
    bans: asIs,
    clock,
    log: quiet,
    signal: stopping.signal,
    steps: {
      ...swapSteps,
      rename: async (from, to) => {
        if (refuses(from, to)) throw trouble('EROFS');
        await swapSteps.rename(from, to);
      },
    },
  };
  const placing = new Placing(parts);
  await placing.note(swapping);
  const says = () => [
    readFileSync(join(root, 'Farm/Farm'), 'utf8'),
    readFileSync(join(root, 'Other/Other'), 'utf8'),
  ];
  return { root, record, swapping, clock, stopping, told, placing, says, parts };
}

it('takes everything back where something cannot be put in its place', async () => {
  const { root, placing, swapping, record, says } = await stage({
    refuses: (from) => from.endsWith('coming/Other'),
  });
  const before = Object.keys(treeOf(root)).filter((path) => !path.startsWith('.'));
  await expect(placing.put(swapping)).rejects.toMatchObject({
    code: 'backup-failed',
    message: expect.stringMatching(/EROFS.*nothing has changed/),
  });
  expect(says()).toEqual(['old', 'old']);
  expect(Object.keys(treeOf(root))).toEqual(before);
  expect(await record.read()).toMatchObject({ phase: 'undone' });
  expect(placing.unfinished).toBeUndefined();
});

it('goes on trying where the disk allows no way, and keeps the game away until it is done', async () => {
  let isReadOnly = false;
  let moves = 0;
  const { placing, swapping, record, says, clock, told } = await stage({
    refuses: () => {
      moves += 1;
      isReadOnly ||= moves === 2;
      return isReadOnly;
    },
  });
  const put = placing.put(swapping);
  await expect.poll(() => told.length).toBe(1);
  expect(told[0]).toMatch(/cannot finish \(EROFS\): until it does, the game stays stopped/);
  expect(placing.unfinished).toBeDefined();
  clock.advance(5_000);
  await expect.poll(() => told.length).toBe(2);
  isReadOnly = false;
  moves = 10;
  clock.advance(5_000);
  await put;
  expect(says()).toEqual(['new', 'new']);
  expect(await record.read()).toMatchObject({ phase: 'restored' });
  expect(placing.unfinished).toBeUndefined();
});

it('is left to the next start by a service that stops before the disk allows it', async () => {
  let isReadOnly = true;
  let moves = 0;
  const { placing, swapping, stopping, told, says, parts, record } = await stage({
    refuses: () => {
      moves += 1;
      return isReadOnly && moves >= 2;
    },
  });
  const put = placing.put(swapping);
  await expect.poll(() => told.length).toBe(1);
  stopping.abort();
  await expect(put).rejects.toThrow(Unfinished);
  const still = new Placing(parts);
  await still.recover();
  expect(still.unfinished?.reason).toMatch(/EROFS/);
  isReadOnly = false;
  const next = new Placing(parts);
  await next.recover();
  expect(next.unfinished).toBeUndefined();
  expect(says()).toEqual(['new', 'new']);
  expect(await record.read()).toMatchObject({ phase: 'restored' });
});

it('waits for a volume that is not mounted, and takes an empty folder in its place for nothing that was done', async () => {
  const { root, swapping, parts, says, record, clock, told } = await stage({
    refuses: (from) => from.endsWith('coming/Other'),
  });
  await rollForward(swapping.places, parts.steps).catch(() => {});
  const half = treeOf(root);
  renameSync(root, `${root}.volume`);
  mkdirSync(root);
  const placing = new Placing({ ...parts, steps: swapSteps });
  await placing.recover();
  expect(placing.unfinished).toMatchObject({
    reason: expect.stringContaining(`${root}/.steward-restore is not there`),
    remedy: expect.stringContaining('mount it'),
  });
  expect(await record.read()).toMatchObject({ phase: 'swapping' });
  expect(treeOf(`${root}.volume`)).toEqual(half);
  const put = placing.put(placing.toFinish ?? swapping);
  await expect.poll(() => told.length).toBe(1);
  rmdirSync(root);
  renameSync(`${root}.volume`, root);
  clock.advance(5_000);
  await put;
  expect(says()).toEqual(['new', 'new']);
  expect(await record.read()).toMatchObject({ phase: 'restored' });
});

it('takes away what was only unpacked, and says that nothing came of it', async () => {
  const { placing, swapping, parts, says, record, root } = await stage({ refuses: () => false });
  await placing.note({ ...swapping, phase: 'unpacking' });
  const next = new Placing(parts);
  await next.recover();
  expect(says()).toEqual(['old', 'old']);
  expect(await record.read()).toMatchObject({
    phase: 'undone',
    why: 'this service was stopped before anything was changed',
  });
  expect(Object.keys(treeOf(root)).filter((path) => path.startsWith('.'))).toEqual([]);
});

it('takes away what was only unpacked also where the disk is so full that nothing can be noted', async () => {
  const { placing, swapping, parts, says, root } = await stage({ refuses: () => false });
  await placing.note({ ...swapping, phase: 'unpacking' });
  const record = new RecordFile(join(directory.path, 'restore.json'));
  record.write = () => Promise.reject(trouble('ENOSPC'));
  await new Placing({ ...parts, record }).recover();
  expect(says()).toEqual(['old', 'old']);
  expect(Object.keys(treeOf(root)).filter((path) => path.startsWith('.'))).toEqual([]);
});

it('goes on trying where a game runs that nobody here can stop', async () => {
  let isReadOnly = true;
  let moves = 0;
  const { swapping, parts, says, clock, told } = await stage({
    refuses: () => {
      moves += 1;
      return isReadOnly && moves >= 2;
    },
  });
  const holdGame: PlacingParts['bridge']['holdGame'] = async (_holder, { reason }) => {
    told.push(reason);
    throw new Problem('game-running', 'The existing server runs, and this service cannot stop it');
  };
  const put = new Placing({ ...parts, bridge: { holdGame } }).put(swapping);
  await expect.poll(() => told.length).toBe(1);
  isReadOnly = false;
  clock.advance(5_000);
  await put;
  expect(says()).toEqual(['new', 'new']);
});

it('notes that nothing came of it before it takes away what was unpacked, of which the next start would else tell as done', async () => {
  const { swapping, parts } = await stage({ refuses: () => false });
  const noted: unknown[] = [];
  const remove = async () => void noted.push(await parts.record.read());
  await new Placing({ ...parts, steps: { ...swapSteps, remove } }).giveUp(swapping, 'the disk was full');
  expect(noted).toMatchObject([{ phase: 'undone', why: 'the disk was full' }]);
});

it('takes away the empty stage of a restore that was killed before it had noted anything', async () => {
  const { root, swapping, parts } = await stage({ refuses: () => false });
  await swapSteps.remove(parts.record.path);
  await makeStages(swapping.places);
  await new Placing(parts).recover();
  expect(treeOf(root)).not.toHaveProperty('.steward-restore');
  // Of the one before is noted how it ended, and in which folders.
  await makeStages(swapping.places);
  await parts.record.write({ ...swapping, phase: 'restored', places: [] });
  await new Placing(parts).recover();
  expect(treeOf(root)).not.toHaveProperty('.steward-restore');
});

it('keeps what lies in a stage that no record names, which may be the only copy of old saves, and says so', async () => {
  const { root, swapping, parts, record } = await stage({ refuses: (from) => from.endsWith('coming/Other') });
  await rollForward(swapping.places, parts.steps).catch(() => {});
  const half = treeOf(root);
  expect(half).toHaveProperty('.steward-restore/leaving/Farm/Farm');
  const warnings: object[] = [];
  const warn = (more: object | string, reason?: string) => void warnings.push([reason, more]);
  const recover = () => new Placing({ ...parts, log: { ...quiet, warn } }).recover();
  await swapSteps.remove(record.path);
  await recover();
  // Nor does it go for a record of another folder.
  await record.write({ ...swapping, phase: 'restored', places: [] });
  await recover();
  expect(treeOf(root)).toEqual(half);
  const told = [
    expect.stringMatching(/steward-restore has files of a restore that has no record/),
    { remedy: expect.stringContaining('copy what is missing from') },
  ];
  expect(warnings).toEqual([told, told]);
  const plan = { places: swapping.places, to: {}, bytes: new Map() };
  await expect(checkRoom(plan)).rejects.toMatchObject({ code: 'backup-failed' });
  expect(treeOf(root)).toEqual(half);
});

it('follows a made-up record nowhere but into the folders of the farm', async () => {
  const { root, placing: _, swapping, parts } = await stage({ refuses: () => false });
  const elsewhere = join(directory.path, 'elsewhere');
  plant(elsewhere, { 'Farm/Farm': 'of somebody else', kept: 'as it is' });
  await makeStages([{ root: elsewhere, coming: [], leaving: [] }]);
  plant(comingIn(elsewhere), { Farm: 'made up' });
  const before = treeOf(elsewhere);
  const record = (more: object) => JSON.stringify({ ...swapping, ...more });
  const path = parts.record.path;
  const up = `../elsewhere`;
  const madeUp = [
    ...(['unpacking', 'swapping', 'restored', 'undone'] as const).map((phase) =>
      record({ phase, places: [{ root: elsewhere, coming: ['Farm'], leaving: ['kept'] }] }),
    ),
    ...[`${up}/kept`, '..', '.', '', 'Farm/../../elsewhere/kept', `${up}/kept\0`, '.steward-restore'].flatMap(
      (name) => [
        record({ places: [{ root, coming: [name], leaving: [] }] }),
        record({ places: [{ root, coming: [], leaving: [name] }] }),
      ],
    ),
    record({ places: [{ root: `${root}/${up}`, coming: ['Farm'], leaving: ['kept'] }] }),
  ];
  for (const text of madeUp) {
    // Who may write there has made the way that its names go.
    await makeStages(swapping.places);
    plant(join(root, '.steward-restore', 'elsewhere'), { kept: 'made up' });
    writeFileSync(path, text);
    await new Placing(parts).recover();
    expect([text, treeOf(elsewhere)]).toEqual([text, before]);
    expect([text, existsSync(root)]).toEqual([text, true]);
  }
  // What nobody can finish keeps the game away, with what to do about it.
  writeFileSync(path, record({ places: [{ root: elsewhere, coming: ['Farm'], leaving: [] }] }));
  const placing = new Placing(parts);
  await placing.recover();
  expect(placing.unfinished).toMatchObject({
    reason: expect.stringContaining("not this farm's"),
    remedy: expect.stringContaining('GAME_SAVES_DIR'),
  });
  expect(placing.toFinish).toBeUndefined();
});

it.each([
  ['no JSON', /cannot be understood/],
  ['{"version":2}', /newer version/],
])('lets no game come over a record that nobody can read: %s', async (text, reason) => {
  const path = join(directory.path, 'restore.json');
  writeFileSync(path, text);
  const { parts } = await stage({ refuses: () => false });
  writeFileSync(path, text);
  const placing = new Placing(parts);
  await placing.recover();
  expect(placing.unfinished).toMatchObject({
    reason: expect.stringMatching(reason),
    remedy: expect.any(String),
  });
});
