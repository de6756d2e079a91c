import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { backupFileEnds } from '@steward/shared/backups';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { ArchiveError } from '../../src/backups/archive/archivist.ts';
import { backupPlaces, farmFolder, leaveSave } from '../api/stage/left-backups.ts';
import { openApi } from '../api/stage/open-api.ts';
import { MemoryStore } from '../game/stage/memory-store.ts';
import { settled } from '../game/stage/stage.ts';
import { PlayedArchivist } from './stage/played-archivist.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

const id = (day: string) => `202611${day}T120000Z-000000`;
const left = (day: string, more: object = {}) => ({
  id: id(day),
  madeAt: `2026-11-${day}T12:00:00.000Z`,
  ...more,
});

async function listed(api: Api) {
  const { exact } = await api.ask('GET', '/backups');
  return exact as unknown as { backups: { id: string }[]; unreadable: object[]; rule: string };
}

function readlinkIfThere(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

async function events(api: Api) {
  const { exact } = await api.ask('GET', '/events?topics=backups');
  return (exact['events'] as { type: string; data: object }[]).map(({ type, data }) => ({ type, ...data }));
}

it('tells the age of the newest, but for what a clock that was ahead has made', async () => {
  await using api = await openApi({ leftBackups: [left('18'), left('19')] });
  const day = 24 * 60 * 60 * 1_000;
  const ageInDays = async () => {
    const [, seconds] =
      /^steward_backup_newest_age_seconds\S* (\S+)$/m.exec((await api.ask('GET', '/metrics')).body) ?? [];
    return (Number(seconds?.replace('+Inf', 'Infinity')) * 1_000) / day;
  };
  const now = await ageInDays();
  api.clock.setWallClock(-now * day - day / 2);
  expect(await ageInDays()).toBeCloseTo(0.5);
  api.clock.setWallClock(-2 * day);
  expect(await ageInDays()).toBe(Number.POSITIVE_INFINITY);
  api.clock.setWallClock((now + 2) * day);
  expect(await ageInDays()).toBeCloseTo(now - 0.5);
});

it('thins out by the rule after each that is made, and says which are gone', async () => {
  const others = { farm: { farmId: 'Hilltop_17' } };
  await using api = await openApi({
    leftBackups: [
      left('14'),
      left('15'),
      left('16', { keep: true }),
      left('17', { why: 'before-restore' }),
      left('18', others),
      left('19'),
      left('20'),
    ],
    environment: { BACKUP_KEEP: '2d' },
  });
  const { BACKUP_DIR } = backupPlaces(api.directory);
  writeFileSync(join(BACKUP_DIR, `${id('13')}${backupFileEnds}`), 'no archive');
  await api.ask('POST', '/backups');
  const { backups, unreadable, rule } = await listed(api);
  expect(rule).toBe('2d');
  const [made, ...rest] = backups.map((each) => each.id);
  expect(made).toMatch(/^20261121T000000Z-/);
  expect(rest).toEqual([id('20'), id('18'), id('17'), id('16')]);
  expect(unreadable).toEqual([{ file: `${id('13')}${backupFileEnds}`, reason: expect.any(String) }]);
  expect(await events(api)).toMatchObject([
    { type: 'backups.made', backupId: made, why: 'asked', day: 4, season: 'spring', year: 1 },
    { type: 'backups.deleted', backupId: id('19'), by: 'rule' },
    { type: 'backups.deleted', backupId: id('15'), by: 'rule' },
    { type: 'backups.deleted', backupId: id('14'), by: 'rule' },
  ]);
});

it('thins out only its own farm also where no id of a farm fits the names of the saves', async () => {
  const of = (farmName: string) => ({ farm: { farmName } });
  await using api = await openApi({
    leftBackups: [left('18', of('Süden')), left('19', of('Größe')), left('20', of('Größe'))],
    environment: { BACKUP_KEEP: '1d' },
    game: false,
  });
  const { GAME_SAVES_DIR } = backupPlaces(api.directory);
  rmSync(join(GAME_SAVES_DIR, farmFolder), { recursive: true });
  leaveSave(GAME_SAVES_DIR, { name: 'Größe_222' });
  await api.ask('POST', '/backups');
  const [made, ...rest] = (await listed(api)).backups.map((each) => each.id);
  expect(made).toMatch(/^20261121T000000Z-/);
  expect(rest).toEqual([id('18')]);
});

it('thins out a farm whose save has no id for a name as one, whether its game is there or away', async () => {
  const farm = { farmId: 'Groesse_222', farmName: 'Größe', day: 3 };
  const other = { farmId: 'Groesse_333', farmName: 'Größe' };
  await using api = await openApi({
    leftBackups: [left('18', { farm: other }), left('19', { farm }), left('20', { farm })],
    environment: { BACKUP_KEEP: '1d' },
    game: false,
  });
  const { GAME_SAVES_DIR } = backupPlaces(api.directory);
  rmSync(join(GAME_SAVES_DIR, farmFolder), { recursive: true });
  leaveSave(GAME_SAVES_DIR, { name: 'Größe_222' });
  for (const owned of ['Groesse_222', 'Groesse_333'])
    mkdirSync(join(api.directory, 'farms', owned), { recursive: true });
  const { exact } = await api.ask('POST', '/backups');
  expect(exact['backup']).toMatchObject({ farm: { ...farm, day: 4 } });
  expect((await listed(api)).backups.map((each) => each.id).slice(1)).toEqual([id('18')]);
});

it('deletes ways back by the rule also where the machine sleeps before each backup', async () => {
  await using api = await openApi({
    leftBackups: [left('10', { why: 'before-update' }), left('19')],
    environment: { BACKUP_KEEP: '2d' },
  });
  api.backups.start();
  const hour = 60 * 60 * 1_000;
  const ids = async () => (await listed(api)).backups.map((each) => each.id);
  await api.ask('POST', '/backups');
  expect(await ids()).toContain(id('10'));
  for (let day = 0; day < 2; day += 1) {
    api.clock.setWallClock(23 * hour);
    api.clock.advance(hour);
    await api.ask('POST', '/backups');
  }
  expect(await ids()).not.toContain(id('10'));
});

it('deletes the one that is meant, also while somebody downloads it, and knows no other', async () => {
  await using api = await openApi({ leftBackups: [left('19'), left('20')] });
  using client = await api.listen();
  const url = `http://127.0.0.1:${client.port}/backups/${id('19')}/file`;
  const file = await fetch(url);
  expect((await api.ask('DELETE', `/backups?id=${id('19')}`)).exact).toMatchObject({
    backup: { id: id('19') },
  });
  expect((await file.arrayBuffer()).byteLength).toBe(Number(file.headers.get('content-length')));
  expect((await fetch(url)).status).toBe(404);
  expect((await api.ask('DELETE', `/backups?id=${id('19')}`)).exact).toMatchObject({
    code: 'backup-not-found',
  });
  expect((await listed(api)).backups.map((each) => each.id)).toEqual([id('20')]);
  const head = await fetch(`http://127.0.0.1:${client.port}/backups/${id('20')}/file`, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(head.headers.get('content-disposition')).toBe(`attachment; filename="${id('20')}${backupFileEnds}"`);
  expect(await events(api)).toMatchObject([{ type: 'backups.deleted', backupId: id('19'), by: 'hand' }]);
});

it('reads nothing of a file of which only the head is asked for', async () => {
  await using api = await openApi({ leftBackups: [] });
  const file = join(backupPlaces(api.directory).BACKUP_DIR, `${id('19')}${backupFileEnds}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  // It would be read for hours.
  const bytes = 15 * 1024 ** 4;
  truncateSync(file, bytes);
  const head = await api.app.inject({ method: 'HEAD', url: `/backups/${id('19')}/file` });
  expect(head).toMatchObject({ statusCode: 200, headers: { 'content-length': String(bytes) } });
  const open = readdirSync('/proc/self/fd').map((each) => readlinkIfThere(`/proc/self/fd/${each}`));
  expect(open).not.toContain(file);
});

it('lists what was put there manually, and not under another name', async () => {
  await using api = await openApi({ leftBackups: [left('19')] });
  const { BACKUP_DIR } = backupPlaces(api.directory);
  renameSync(join(BACKUP_DIR, `${id('19')}${backupFileEnds}`), join(BACKUP_DIR, `mine${backupFileEnds}`));
  expect(await listed(api)).toMatchObject({
    backups: [],
    unreadable: [
      { file: `mine${backupFileEnds}`, reason: `it is the backup ${id('19')} under another name` },
    ],
  });
});

it('without BACKUP_DIR there are no backups, and without a save there is nothing to back up', async () => {
  await using off = await openApi();
  for (const path of ['/backups', `/backups/${id('19')}/file`])
    expect((await off.ask('GET', path)).exact).toMatchObject({ status: 409, code: 'backups-off' });
  using directory = temporaryDirectory();
  const { BACKUP_DIR } = backupPlaces(directory.path);
  await using api = await openApi({
    directory: directory.path,
    environment: { BACKUP_DIR, GAME_SAVES_DIR: join(directory.path, 'nothing') },
  });
  expect((await api.ask('POST', '/backups')).exact).toMatchObject({ status: 409, code: 'no-save' });
  expect(readdirSync(BACKUP_DIR)).toEqual([]);
});

it('where that is asked for, a farmhand is deleted only once there is a backup', async () => {
  await using api = await openApi({ leftBackups: [], environment: { BACKUP_BEFORE_DELETE: 'true' } });
  const { GAME_SAVES_DIR } = backupPlaces(api.directory);
  const headers = { 'idempotency-key': 'k' };
  // Who is online is not deleted, and needs no backup.
  expect((await api.ask('DELETE', '/farmhands?name=Ann')).statusCode).toBe(409);
  expect((await listed(api)).backups).toEqual([]);
  const deleted = await api.ask('DELETE', '/farmhands?name=Bob', { headers });
  expect(deleted.statusCode).toBe(200);
  expect((await listed(api)).backups).toMatchObject([{ why: 'before-delete' }]);
  // A retry is told the same, and makes no other.
  expect((await api.ask('DELETE', '/farmhands?name=Bob', { headers })).body).toBe(deleted.body);
  expect((await listed(api)).backups).toHaveLength(1);
  renameSync(GAME_SAVES_DIR, `${GAME_SAVES_DIR}-elsewhere`);
  await settled();
  const { heard } = api.farm;
  const before = heard.length;
  expect((await api.ask('DELETE', '/farmhands?playerId=42')).exact).toMatchObject({ code: 'no-save' });
  expect(heard.length).toBe(before);
  expect(existsSync(GAME_SAVES_DIR)).toBe(false);
});

it('a retry that comes while that backup is made is told of the same deletion, and another request under its key is refused', async () => {
  const archivist = new PlayedArchivist();
  await using api = await openApi({
    leftBackups: [],
    archivist,
    environment: { BACKUP_BEFORE_DELETE: 'true' },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  archivist.meanwhile = () => promise;
  const headers = { 'idempotency-key': 'k' };
  const ask = (query: string) => api.ask('DELETE', `/farmhands?${query}`, { headers });
  const asking = ask('name=Bob');
  await archivist.firstBegun;
  const others = ['name=Bob', 'name=Bob', 'playerId=42'].map(ask);
  await settled();
  resolve();
  const [first, [again, andAgain, other]] = await Promise.all([asking, Promise.all(others)]);
  expect(first.statusCode).toBe(200);
  expect([again?.body, andAgain?.body]).toEqual([first.body, first.body]);
  expect(other?.exact).toMatchObject({
    code: 'idempotency-key-reused',
    operationId: first.exact['operationId'],
  });
  expect(archivist.begun).toBe(1);
});

it('a retry that comes while that backup fails is carried out', async () => {
  const archivist = new PlayedArchivist();
  await using api = await openApi({
    leftBackups: [],
    archivist,
    environment: { BACKUP_BEFORE_DELETE: 'true' },
  });
  const { promise, reject } = Promise.withResolvers<void>();
  archivist.meanwhile = (time) => (time === 1 ? promise : undefined);
  const ask = () => api.ask('DELETE', '/farmhands?name=Bob', { headers: { 'idempotency-key': 'k' } });
  const asking = ask();
  await archivist.firstBegun;
  const retry = ask();
  await settled();
  reject(new ArchiveError('no-room', 'the disk is full'));
  expect((await asking).exact).toMatchObject({ code: 'no-room' });
  expect((await retry).statusCode).toBe(200);
});

it('a retry is told the same, and makes no other', async () => {
  await using api = await openApi({ leftBackups: [] });
  const headers = { 'idempotency-key': 'k' };
  const first = await api.ask('POST', '/backups?note=a', { headers });
  expect((await api.ask('POST', '/backups?note=a', { headers })).body).toBe(first.body);
  expect((await listed(api)).backups).toHaveLength(1);
  expect((await api.ask('POST', '/backups?note=b', { headers })).exact).toMatchObject({
    code: 'idempotency-key-reused',
  });
});

it('a retry after a kill is told that it may have been made, where a file that cannot be read may be it', async () => {
  const archivist = new PlayedArchivist();
  const [store, left] = [new MemoryStore(), new MemoryStore()];
  await using api = await openApi({ leftBackups: [], archivist, store });
  const { promise, resolve } = Promise.withResolvers<void>();
  archivist.meanwhile = () => promise;
  const headers = { 'idempotency-key': 'k' };
  const first = api.ask('POST', '/backups', { headers });
  await archivist.firstBegun;
  // What a kill would leave at this moment.
  for (const [key, operation] of store.kept) left.kept.set(key, operation);
  resolve();
  expect((await first).statusCode).toBe(200);

  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, `${id('20')}${backupFileEnds}`), 'no archive');
  const environment = { BACKUP_DIR: directory.path };
  await using again = await openApi({ leftBackups: [], store: left, environment });
  const { exact } = await again.ask('POST', '/backups', { headers });
  expect(exact).toMatchObject({ status: 504, code: 'outcome-unknown', applied: null });
});

it('needs no room for what a link among the saves leads to, which is not copied', async () => {
  await using api = await openApi({ leftBackups: [] });
  const { GAME_SAVES_DIR } = backupPlaces(api.directory);
  const elsewhere = join(api.directory, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'endless'), '');
  truncateSync(join(elsewhere, 'endless'), 15 * 1024 ** 4);
  for (const name of ['once', 'again']) symlinkSync(elsewhere, join(GAME_SAVES_DIR, name));
  // Followed, these two would lead to twice as many places with each step.
  for (const name of ['up', 'too']) symlinkSync('..', join(GAME_SAVES_DIR, farmFolder, name));
  expect((await api.ask('POST', '/backups')).exact).toMatchObject({ success: true });
});

it('looks for room before anything is begun, and says how much there would have to be', async () => {
  await using api = await openApi({ leftBackups: [] });
  const { BACKUP_DIR, GAME_SAVES_DIR } = backupPlaces(api.directory);
  const file = join(GAME_SAVES_DIR, farmFolder, 'endless');
  writeFileSync(file, '');
  // It takes no room itself: there is nothing in it.
  truncateSync(file, 15 * 1024 ** 4);
  expect((await api.ask('POST', '/backups')).exact).toMatchObject({
    status: 507,
    code: 'no-room',
    detail: expect.stringMatching(/^BACKUP_DIR has \S+ .?B free, and a backup may need 16\.5 TB: /),
  });
  expect(readdirSync(BACKUP_DIR)).toEqual([]);
});
