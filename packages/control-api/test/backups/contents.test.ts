import { readFileSync, statSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { backupFileEnds } from '@steward/shared/backups';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { adminsTables, readersTables } from '../../src/store/copy-database.ts';
import { databaseName } from '../../src/store/store.ts';
import { migrations } from '../../src/store/tables/schema.ts';
import { backupPlaces, leaveSave } from '../api/stage/left-backups.ts';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { oneArchivist } from './stage/one-archivist.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

const canary = 'canary-7d3b';

/** Every table has something in it of the canary, where it can have: with an audit line of each write that is asked for here. */
async function stage(directory: string): Promise<Api> {
  const api = await openApi({ key: testKey, leftBackups: [], directory });
  const hook = `/webhooks?url=https://hooks.example/${canary}&name=${canary}&topics=farm`;
  expect((await api.ask('POST', hook)).statusCode).toBe(200);
  expect((await api.ask('POST', `/keys?name=${canary}2&scopes=read`)).statusCode).toBe(200);
  const schedule = '/schedules?name=nightly&action=backup&cron=0 4 * * *';
  expect((await api.ask('POST', schedule)).statusCode).toBe(200);
  expect((await api.ask('POST', '/time?value=1200')).statusCode).toBe(200);
  return api;
}

/** Every byte of the database in a backup. */
async function databaseIn(api: Api, query: string): Promise<string> {
  const { exact } = await api.ask('POST', `/backups${query}`);
  const { id } = exact['backup'] as { id: string };
  const path = join(backupPlaces(api.directory).BACKUP_DIR, `${id}${backupFileEnds}`);
  const to = join(api.directory, `${id}.db`);
  await oneArchivist.unpack(path, { 'database/steward.db': to });
  return readFileSync(to, 'latin1');
}

it('has nothing of keys, webhooks and the audit, unless all is asked for', async () => {
  using directory = temporaryDirectory();
  await using api = await stage(directory.path);
  const bytes = await databaseIn(api, '');
  expect(bytes).not.toContain(canary);
  // That the time was set is told to whoever may read, and schedules to whoever may operate.
  expect(bytes).toContain('setTime');
  expect(bytes).toContain('nightly');
  const all = await databaseIn(api, '?all=true');
  expect(all).toContain(`https://hooks.example/${canary}`);
  expect(all).toContain(`${canary}2`);
});

it('can have every table, and each is for whoever may read or for admins', () => {
  using database = new DatabaseSync(':memory:');
  database.exec(migrations.join('\n'));
  const tables = database
    .prepare('pragma table_list')
    .all()
    .filter(({ schema, name }) => schema === 'main' && !String(name).startsWith('sqlite_'));
  expect(
    tables.map(({ name }) => name).toSorted(),
    'a new table belongs into readersTables or adminsTables of src/store/copy-database.ts',
  ).toEqual([...readersTables, ...adminsTables].toSorted());
  // Its rows are found by their rowids.
  expect(tables.filter(({ wr }) => wr !== 0)).toEqual([]);
});

it('says in its own database that it was made, by which schedule too, and not that this was cut off', async () => {
  using directory = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  {
    await using api = await stage(directory.path);
    await api.ask('POST', '/schedules?name=whole&action=backup&all=true&cron=0 4 * * *');
    expect((await api.ask('POST', '/schedules/run?name=whole')).exact).toMatchObject({
      run: { outcome: 'applied' },
    });
    const { backups } = (await api.ask('GET', '/backups')).exact as { backups: { id: string }[] };
    const path = join(backupPlaces(directory.path).BACKUP_DIR, `${backups[0]?.id}${backupFileEnds}`);
    await oneArchivist.unpack(path, { 'database/steward.db': join(elsewhere.path, databaseName) });
  }
  await using api = await openApi({ key: testKey, leftBackups: [], directory: elsewhere.path });
  api.watch();
  const { schedules } = (await api.ask('GET', '/schedules')).exact as { schedules: { name: string }[] };
  expect(schedules.find(({ name }) => name === 'whole')).toMatchObject({ lastRun: { outcome: 'applied' } });
  expect((await api.ask('GET', '/events?topics=schedules')).exact['events']).toEqual([]);
  const { operations } = (await api.ask('GET', '/operations')).exact as { operations: { command: string }[] };
  expect(operations.map(({ command }) => command)).not.toContain('createBackup');
  const { lines } = (await api.ask('GET', '/audit?actor=schedule+whole')).exact as { lines: object[] };
  expect(lines).toMatchObject([{ action: 'runSchedule', outcome: 'applied' }]);
  expect(lines[0]).not.toHaveProperty('interrupted');
});

it('writes nothing but its two files meanwhile, so that none is left when it is killed', async () => {
  using directory = temporaryDirectory();
  await using api = await stage(directory.path);
  const { BACKUP_DIR } = backupPlaces(api.directory);
  const names = new Set<string | null>();
  const { promise: made, resolve } = Promise.withResolvers<void>();
  const watcher = watch(BACKUP_DIR, (_what, name) => {
    names.add(name);
    if (name?.endsWith(backupFileEnds) === true && !name.startsWith('.')) resolve();
  });
  const { exact } = await api.ask('POST', '/backups');
  await made;
  watcher.close();
  const { id } = exact['backup'] as { id: string };
  const others = [...names].filter((name) => name !== `${id}${backupFileEnds}`);
  expect(others).toHaveLength(2);
  for (const name of others) expect(name).toMatch(/^\..+\.part$/);
});

it('the farm is backed up where its database cannot be, and the backup says why', async () => {
  using directory = temporaryDirectory();
  await using api = await openApi({ leftBackups: [], directory: directory.path });
  const path = join(directory.path, databaseName);
  const other = new DatabaseSync(path);
  other.exec(`pragma user_version=${migrations.length + 1}`);
  other.close();
  const { exact } = await api.ask('POST', '/backups');
  expect(exact['backup']).toMatchObject({
    parts: ['saves', 'owners', 'settings'],
    missing: [{ part: 'database', reason: 'another version created it' }],
  });
});

it('says that it lacks bans whose list lies on a volume that is away', async () => {
  using directory = temporaryDirectory();
  await using api = await openApi({ leftBackups: [], directory: directory.path });
  symlinkSync(join(directory.path, 'away', 'bans.json'), join(directory.path, 'bans.json'));
  const { exact } = await api.ask('POST', '/backups');
  expect(exact['backup']).toMatchObject({
    parts: ['saves', 'owners', 'settings', 'database'],
    missing: [{ part: 'bans', reason: 'the file that it links to is missing' }],
  });
});

it('owners, settings and all saves come along, whichever farm the game has', async () => {
  using directory = temporaryDirectory();
  const { GAME_SAVES_DIR, BACKUP_DIR } = backupPlaces(directory.path);
  await using api = await openApi({ leftBackups: [], directory: directory.path });
  await api.ask('POST', '/farmhands/rebind?name=Bob&identity=46265193014');
  leaveSave(GAME_SAVES_DIR, { name: 'Hilltop_17', day: 20 });
  writeFileSync(join(GAME_SAVES_DIR, 'steam_autocloud.vdf'), '');
  const { exact } = await api.ask('POST', '/backups');
  const { id, farm, parts } = exact['backup'] as { id: string; farm: object; parts: string[] };
  expect(farm).toMatchObject({ farmName: 'Sunnybrook', day: 4 });
  expect(parts).toEqual(['saves', 'owners', 'settings', 'database']);
  const file = join(BACKUP_DIR, `${id}${backupFileEnds}`);
  const { entries } = await oneArchivist.verify(file);
  const paths = entries.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'saves/Hilltop_17/Hilltop_17',
      'saves/steam_autocloud.vdf',
      'owners/Sunnybrook_398472611/farmhand-ownership.json',
      'settings/server-settings.json',
    ]),
  );
  expect(statSync(file).size).toBe((exact['backup'] as { bytes: number }).bytes);
});
