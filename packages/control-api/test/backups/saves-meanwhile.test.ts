import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ArchiveError } from '../../src/backups/archive/archivist.ts';
import { makingLimits } from '../../src/backups/backup-making.ts';
import { backupLimits } from '../../src/backups/backups.ts';
import { nextSaveMs, SaveWatch } from '../../src/backups/save-watch.ts';
import { backupPlaces, farmFolder, leaveSave } from '../api/stage/left-backups.ts';
import { openApi, type StageOptions } from '../api/stage/open-api.ts';
import { settled } from '../game/stage/stage.ts';
import { PlayedArchivist } from './stage/played-archivist.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

async function stage(options: StageOptions = {}) {
  const archivist = new PlayedArchivist();
  const api = await openApi({ leftBackups: [], archivist, ...options });
  return Object.assign(api, { archivist, saves: backupPlaces(api.directory).GAME_SAVES_DIR });
}

/** The evening of the farm, the night in which it saves, and the morning. */
async function evening({ farm }: Api): Promise<void> {
  farm.happens({ kind: 'dayEnded', day: 5, season: 'spring', year: 1 });
  farm.tell({ status: { ...farm.state.status, dayTransitionComplete: false } });
  await settled();
}

async function morning({ farm, saves }: Api & { saves: string }, saveGeneration = 13): Promise<void> {
  leaveSave(saves, { day: 5 });
  farm.happens({ kind: 'saved', saveGeneration });
  farm.tell({ farm: { farmId: farmFolder, saveGeneration }, status: farm.state.status });
  await settled();
}

const create = async (api: Api, query = '') => {
  const answer = await api.ask('POST', `/backups${query}`);
  return { status: answer.statusCode, ...JSON.parse(answer.body) };
};

async function until({ bridge: { operations } }: Api, isSo: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unfollow = operations.follow(() => {
    if (isSo()) resolve();
  });
  if (!isSo()) await promise;
  unfollow();
}

/** Its line in the audit is on a real disk before it begins. */
async function begun(api: Api): Promise<void> {
  await until(api, () => api.bridge.operations.list(1)?.[0]?.state === 'claimed');
  await settled();
}

/** Its copy has been begun for that time, and voided where what happens meanwhile throws. */
async function triedFor({ archivist }: Api & { archivist: PlayedArchivist }, time: number): Promise<void> {
  await archivist.begunFor(time);
  await settled();
}

/** By its clock, a backup begins to wait for the end of the night. */
function nightIsAwaited({ clock }: Api): Promise<void> {
  const after = clock.after.bind(clock);
  return new Promise((resolve) => {
    clock.after = (ms, action) => {
      if (ms === makingLimits.nightMs) resolve();
      return after(ms, action);
    };
  });
}

function ended(api: Api, id: string): Promise<void> {
  return until(api, () => api.bridge.operations.find(id)?.state !== 'claimed');
}

it('copies the last save at once, and says of which day it is', async () => {
  await using api = await stage();
  const { backup } = await create(api);
  expect(backup.farm).toEqual({
    farmId: farmFolder,
    farmName: 'Sunnybrook',
    day: 4,
    season: 'spring',
    year: 1,
    saveGeneration: 12,
  });
});

it('says of which farm and day it is also where the name of its save can be no id, and takes no other save for it', async () => {
  await using api = await stage();
  const { farm, saves } = api;
  leaveSave(saves, { name: 'Größe_333', day: 9 });
  leaveSave(saves, { name: 'Größe_222', day: 7 });
  const madeOf = async (farmId: string) => {
    farm.tell({ farm: { farmId, saveGeneration: 12 }, status: farm.state.status });
    await settled();
    return (await create(api)).backup.farm;
  };
  expect(await madeOf('Groesse_222')).toMatchObject({ farmId: 'Groesse_222', farmName: 'Größe', day: 7 });
  // It has not been saved yet.
  expect(await madeOf('Groesse_444')).toEqual({ farmId: 'Groesse_444', saveGeneration: 12 });
  // Which of two is its own nobody knows.
  leaveSave(saves, { name: 'Grüße_222', day: 8 });
  expect(await madeOf('Groesse_222')).toEqual({ farmId: 'Groesse_222', saveGeneration: 12 });
});

it('a save that begins meanwhile voids the copy, which is taken again once that is written', async () => {
  await using api = await stage();
  api.archivist.meanwhile = async (time) => {
    if (time === 1) await evening(api);
  };
  const made = create(api);
  await api.archivist.firstBegun;
  await settled();
  await morning(api);
  const { backup } = await made;
  expect(backup.farm).toMatchObject({ day: 5, saveGeneration: 13 });
  expect(api.archivist.begun).toBe(2);
});

it('waits for the end of a night that is under way, and not for one that goes on for minutes', async () => {
  await using api = await stage();
  await evening(api);
  const made = create(api);
  await begun(api);
  expect(api.archivist.begun).toBe(0);
  await morning(api);
  expect((await made).backup.farm).toMatchObject({ day: 5, saveGeneration: 13 });

  await evening(api);
  const before = api.archivist.begun;
  const waits = nightIsAwaited(api);
  const asked = create(api);
  await waits;
  api.clock.advance(backupLimits.answerMs);
  const { operationId } = await asked;
  expect(api.archivist.begun).toBe(before);
  api.clock.advance(makingLimits.nightMs);
  await ended(api, operationId);
  expect(api.archivist.begun).toBe(before + 1);
});

it('what changes each time that it is copied is given up, and nothing is left of it', async () => {
  await using api = await stage();
  api.archivist.meanwhile = () => {
    throw new ArchiveError('changed', 'saves/x was another');
  };
  const failed = create(api);
  for (const [index, seconds] of [1, 2, 4, 8].entries()) {
    await triedFor(api, index + 1);
    api.clock.advance(seconds * 1_000);
  }
  expect(await failed).toMatchObject({
    status: 500,
    code: 'backup-failed',
    detail: expect.stringContaining('changed during each of 5 attempts to copy them (saves/x was another)'),
  });
  expect(api.archivist.begun).toBe(makingLimits.tries);
  expect(readdirSync(backupPlaces(api.directory).BACKUP_DIR)).toEqual([]);
  const { events } = (await api.ask('GET', '/events?topics=backups')).exact as { events: object[] };
  expect(events).toMatchObject([{ type: 'backups.failed', data: { why: 'asked' } }]);
});

it('waits longer each time before it copies again what is being written, and not once the service stops', async () => {
  await using api = await stage();
  const from = api.clock.now();
  const begunAt: number[] = [];
  api.archivist.meanwhile = (time) => {
    begunAt.push((api.clock.now() - from) / 1_000);
    if (time !== makingLimits.tries) throw new ArchiveError('changed', 'saves/x was another');
  };
  const made = create(api);
  for (const [index, seconds] of [1, 2, 4, 8].entries()) {
    await triedFor(api, index + 1);
    api.clock.advance(seconds * 1_000 - 1);
    await settled();
    api.clock.advance(1);
  }
  expect(await made).toMatchObject({ status: 200 });
  expect(begunAt).toEqual([0, 1, 3, 7, 15]);
  const stopped = api.app.inject({ method: 'POST', url: '/backups' });
  await triedFor(api, 6);
  await api.stop();
  const refused = await stopped;
  expect(refused.json()).toMatchObject({ code: 'shutting-down', retry: true });
  expect(refused.headers['retry-after']).toBe('5');
  expect(api.archivist.begun).toBe(6);
});

it('fresh waits for the next save, is told to go on after 25 s, and ends as GET /operations tells', async () => {
  await using api = await stage();
  const asked = create(api, '?fresh=true');
  await begun(api);
  expect(await create(api, '?fresh=true')).toMatchObject({ status: 409, code: 'backup-under-way' });
  // What waits keeps no other from being made.
  expect(await create(api)).toMatchObject({ status: 200 });
  api.clock.advance(backupLimits.answerMs);
  const { status, operationId, backup } = await asked;
  expect({ status, backup }).toEqual({ status: 202, backup: undefined });
  const operation = async () => (await api.ask('GET', `/operations/${operationId}`)).exact;
  expect(await operation()).toMatchObject({ state: 'claimed', step: 'waiting-for-save' });
  await evening(api);
  await morning(api);
  await ended(api, operationId);
  expect(await operation()).toMatchObject({
    state: 'applied',
    after: { backup: { farm: { day: 5, saveGeneration: 13 } } },
  });
});

it('fresh is refused where no game is connected, and the last save is copied without it', async () => {
  await using api = await stage({ game: false });
  expect(await create(api, '?fresh=true')).toMatchObject({ status: 503, code: 'game-unavailable' });
  expect(await create(api)).toMatchObject({ status: 200, backup: { farm: { farmId: farmFolder, day: 4 } } });
});

it('fresh ends void when the service stops, and when the game does not save for a day', async () => {
  await using api = await stage();
  const asked = create(api, '?fresh=true');
  await begun(api);
  // A clock has gone on by the time that something is done.
  api.clock.advance(nextSaveMs + 1);
  const { operationId } = await asked;
  await ended(api, operationId);
  expect((await api.ask('GET', `/operations/${operationId}`)).exact).toMatchObject({ state: 'void' });
  const { events } = (await api.ask('GET', '/events?topics=backups')).exact as { events: object[] };
  expect(events).toMatchObject([
    { type: 'backups.failed', data: { why: 'asked', reason: expect.stringContaining('has not saved') } },
  ]);
  const again = api.app.inject({ method: 'POST', url: '/backups?fresh=true' });
  await begun(api);
  await api.stop();
  expect((await again).json()).toMatchObject({ code: 'shutting-down' });
});

it('waits for neither a night nor a save where the service has stopped before', async () => {
  await using api = await stage();
  await evening(api);
  const watch = new SaveWatch(api);
  const stopped = AbortSignal.abort(new Error('it has stopped'));
  const inTime = (waiting: Promise<unknown>) => Promise.race([waiting, setImmediate('nothing yet')]);
  await expect(inTime(watch.calm(makingLimits.nightMs, stopped))).rejects.toThrow('it has stopped');
  await expect(inTime(watch.next(() => {}, stopped))).rejects.toThrow('it has stopped');
});

it('one is made at a time', async () => {
  await using api = await stage();
  const { promise, resolve } = Promise.withResolvers<void>();
  api.archivist.meanwhile = () => promise;
  const first = create(api);
  await api.archivist.firstBegun;
  expect(await create(api)).toMatchObject({ status: 409, code: 'backup-under-way' });
  resolve();
  expect(await first).toMatchObject({ status: 200 });
});
