import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { backupFileEnds } from '@steward/shared/backups';
import { bridgeTiming } from '@steward/shared/bridge/protocol';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pack } from '../../src/backups/archive/pack.ts';
import { ThreadArchivist } from '../../src/backups/archive/thread-archivist.ts';
import { checkRoom } from '../../src/backups/restore/restore-plan.ts';
import { recordName } from '../../src/backups/restore/restore-record.ts';
import { whyNot } from '../../src/backups/restore/restore-words.ts';
import { seenAgain } from '../../src/backups/restore/seen-again.ts';
import { comingIn, makeStages } from '../../src/backups/restore/swap.ts';
import { returnMs } from '../../src/game/awaited.ts';
import { fullGame } from '../api/stage/full-farm.ts';
import { stateThat } from '../game/stage/process-stage.ts';
import { hello, settled } from '../game/stage/stage.ts';
import { about, archiveName } from './stage/archives.ts';
import { meadow, placesIn, type RestoreStage, restoreStage } from './stage/restore-stage.ts';
import { emptied, plant, treeOf } from './stage/trees.ts';

/** What the game would take for a save. */
function saveOf(text: string): Record<string, string> {
  return { [`${meadow}/SaveGameInfo`]: text, [`${meadow}/${meadow}`]: text };
}

/** There is a backup of then, and the farm was played since. */
async function playedOn({ places, backup }: Pick<RestoreStage, 'places' | 'backup'>) {
  plant(places.saves, saveOf('then'));
  const id = await backup();
  const then = treeOf(places.saves);
  plant(places.saves, saveOf('now'));
  return { id, then, now: treeOf(places.saves) };
}

it('puts back what the backup has, with a way back, and the game is seen again with it', async () => {
  await using stage = await restoreStage({ spawns: true });
  const { places, ask } = stage;
  await stage.live();
  await ask('POST', '/time?value=900');
  await stage.service.bridge.run({ name: 'save', params: {} });
  plant(places.saves, { [`${meadow}/SaveGameInfo`]: 'of the first day', 'Other_2/Other_2': 'another' });
  const id = await stage.backup();
  const before = treeOf(places.saves);
  plant(places.saves, {
    [`${meadow}/SaveGameInfo`]: 'of the second day',
    'Third_3/Third_3': 'of a new farm',
  });
  await ask('POST', '/time?value=1500');
  stage.events.length = 0;
  const { status, body } = await ask('POST', `/backups/restore?id=${id}`);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { success: true, isSeen: true, backup: { id }, safetyBackupId: expect.any(String) },
  });
  expect(body['message']).toMatch(/^The backup is restored\. The game is online with/);
  const { Third_3: folder, 'Third_3/Third_3': file, ...now } = treeOf(places.saves, [`${meadow}/${meadow}`]);
  expect([folder, file]).toEqual([expect.any(String), expect.any(String)]);
  const { [`${meadow}/${meadow}`]: _, ...then } = before;
  expect(now).toEqual(then);
  await stage.live();
  expect(stage.service.bridge.state.sections.status?.timeOfDay).toBe(900);
  expect(
    stage.events
      .filter(({ type }) => /^(backups|game)/.test(type))
      .map(({ type, data }) => [type, data['step']]),
  ).toEqual([
    ['backups.restoring', 'checking'],
    ['backups.restoring', 'stopping-game'],
    ['game.stopped', undefined],
    ['backups.restoring', 'safety-backup'],
    ['backups.made', undefined],
    ['backups.restoring', 'unpacking'],
    ['backups.restoring', 'swapping'],
    ['backups.restoring', 'starting-game'],
    ['game.starting', undefined],
    ['game.connected', undefined],
    ['backups.restored', undefined],
  ]);
});

it('sees another farm by its name where the backup knows no id', async () => {
  await using stage = await restoreStage();
  const { mode, service } = stage;
  void fullGame(['save']).connect(mode.connect().stream);
  await stage.live();
  const { signal } = new AbortController();
  const parts = { bridge: service.bridge, clock: new ManualClock(), withinMs: 1, signal };
  expect(await seenAgain({ farmName: 'Sunnybrook' }, parts)).toMatchObject({ isSeen: true });
  const says = expect.stringMatching(/^The game is online with another farm, Sunnybrook/);
  expect(await seenAgain({ farmName: 'Größe' }, parts)).toEqual({ isSeen: false, says });
  expect(await seenAgain({}, parts)).toMatchObject({ isSeen: true });
});

it('starts no game again where the service is stopped meanwhile', async () => {
  await using stage = await restoreStage({ spawns: true });
  await stage.live();
  await stage.service.bridge.run({ name: 'save', params: {} });
  plant(stage.places.saves, { [`${meadow}/SaveGameInfo`]: 'of the first day' });
  const id = await stage.backup();
  stage.events.length = 0;
  const { promise: isStopped, resolve } = Promise.withResolvers<void>();
  stage.service.bridge.events.follow(({ event }) => {
    if (event.type === 'backups.restoring' && event.data['step'] === 'safety-backup') resolve();
  });
  const asking = stage.ask('POST', `/backups/restore?id=${id}`);
  await isStopped;
  await stage.stop();
  expect((await asking).body).toMatchObject({ code: 'shutting-down', retry: true });
  const types = stage.events.map(({ type }) => type);
  expect(types).toContain('backups.restoreFailed');
  expect(types).not.toContain('game.starting');
});

it('says what comes of it where nothing was saved yet, and that somebody has to start the game', async () => {
  await using from = await restoreStage();
  plant(from.places.saves, saveOf('then'));
  const id = await from.backup();
  await using into = await restoreStage();
  mkdirSync(into.places.backups, { recursive: true });
  const name = `${id}${backupFileEnds}`;
  copyFileSync(join(from.places.backups, name), join(into.places.backups, name));
  const { status, body } = await into.ask('POST', `/backups/restore?id=${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ isSeen: false, message: expect.stringMatching(/Start the game/) });
  expect(body).not.toHaveProperty('safetyBackupId');
  expect(treeOf(into.places.saves)).toEqual(treeOf(from.places.saves));
});

it('takes what a file system keeps for itself at the top of a volume for no farm, and leaves it there', async () => {
  await using stage = await restoreStage();
  const { saves, backups } = stage.places;
  using earlier = temporaryDirectory();
  const [farms, lost] = [join(earlier.path, 'saves'), join(earlier.path, 'lost+found')];
  plant(farms, saveOf('then'));
  plant(lost, { '#7': 'then' });
  mkdirSync(backups, { recursive: true });
  // As root, an earlier version took it along.
  const sources = [
    { into: 'saves', path: farms },
    { into: 'saves/lost+found', path: lost },
  ];
  await pack({ to: join(backups, archiveName), sources, about }, join(backups, 'part'));
  const restore = () => stage.ask('POST', `/backups/restore?id=${about.id}`);
  plant(saves, { 'lost+found/#7': 'now', 'Another_7/SaveGameInfo': 'half a save' });
  expect((await restore()).body).toMatchObject({
    code: 'backup-unfit',
    detail: expect.stringMatching(/is from Meadow_1, and this server has Another_7: /),
  });
  rmSync(join(saves, 'Another_7'), { recursive: true });
  const { body } = await restore();
  expect(body).toMatchObject({ success: true });
  expect(body).not.toHaveProperty('safetyBackupId');
  expect(readdirSync(saves).toSorted()).toEqual([meadow, 'lost+found']);
  expect(readFileSync(join(saves, 'lost+found', '#7'), 'utf8')).toBe('now');
  expect(readFileSync(join(saves, meadow, meadow), 'utf8')).toBe('then');
});

it('keeps what is replaced also where it is no save any more, as the damaged one that somebody goes back from', async () => {
  await using stage = await restoreStage();
  const { saves } = stage.places;
  plant(saves, saveOf('then'));
  const id = await stage.backup();
  emptied(saves);
  plant(saves, { [`${meadow}/${meadow}`]: 'half of it' });
  const damaged = treeOf(saves);
  const { body } = await stage.ask('POST', `/backups/restore?id=${id}`);
  expect(body).toMatchObject({ success: true, safetyBackupId: expect.any(String) });
  await stage.ask('POST', `/backups/restore?id=${body['safetyBackupId']}`);
  expect(treeOf(saves)).toEqual(damaged);
});

it('keeps the backup that it goes back to, also one that the rule takes away', async () => {
  await using stage = await restoreStage({ environment: { BACKUP_KEEP: '1d' } });
  const { saves, backups } = stage.places;
  plant(saves, saveOf('then'));
  const path = join(backups, `${await stage.backup()}${backupFileEnds}`);
  const then = treeOf(saves);
  const file = readFileSync(path);
  plant(saves, saveOf('now'));
  await stage.backup();
  expect(existsSync(path)).toBe(false);
  // As somebody does who brings it back from elsewhere.
  writeFileSync(path, file);
  const { body } = await stage.ask('POST', `/backups/restore?id=${basename(path, backupFileEnds)}`);
  expect(body).toMatchObject({ success: true });
  expect(treeOf(saves)).toEqual(then);
  expect(existsSync(path)).toBe(true);
});

it('finishes nothing in folders of somebody else that a record names, and lets no game come over it', async () => {
  using directory = temporaryDirectory();
  const { root, state } = placesIn(directory.path);
  const elsewhere = join(root, 'elsewhere');
  plant(elsewhere, { 'Farm/Farm': 'of somebody else', kept: 'as it is' });
  const place = { root: elsewhere, coming: ['Farm'], leaving: ['kept'] };
  await makeStages([place]);
  plant(comingIn(elsewhere), { 'Farm/Farm': 'made up' });
  const before = treeOf(elsewhere);
  mkdirSync(state);
  const backup = { id: '20261122T190000Z-3f9a7c', madeAt: '2026-11-22T19:00:00.000Z', madeBy: '0.1.0' };
  const facts = { ...backup, why: 'asked', keep: false, bytes: 1, farm: {}, parts: ['saves'], all: false };
  const record = { version: 1, operationId: '1', phase: 'swapping', backup: facts, places: [place] };
  writeFileSync(join(state, recordName), JSON.stringify(record));
  await using stage = await restoreStage({ at: root });
  expect(stage.service.bridge.state.link).toMatchObject({
    reason: expect.stringContaining("names folders that are not this farm's"),
  });
  await stage.stop();
  expect(treeOf(elsewhere)).toEqual(before);
  expect(JSON.parse(readFileSync(join(state, recordName), 'utf8'))).toEqual(record);
  expect(stage.events.map(({ type }) => type)).not.toContain('backups.restored');
});

it('refuses whatever it could not carry out to its end, and touches nothing', async () => {
  await using stage = await restoreStage();
  const { places, ask } = stage;
  const { saves, backups } = places;
  plant(saves, saveOf('then'));
  const id = await stage.backup();
  const path = join(backups, `${id}${backupFileEnds}`);
  plant(saves, { [`${meadow}/SaveGameInfo`]: 'now' });
  const whole = readFileSync(path);
  const refused = async (query: string, problem: string, detail: RegExp) => {
    const before = treeOf(saves);
    stage.events.length = 0;
    const { body } = await ask('POST', `/backups/restore?${query}`);
    expect(body).toMatchObject({ code: problem, detail: expect.stringMatching(detail) });
    expect(treeOf(saves)).toEqual(before);
    expect(stage.events.filter(({ type }) => type.startsWith('game'))).toEqual([]);
  };
  await refused('id=20261122T190000Z-3f9a7c', 'backup-not-found', /There is no backup/);
  await refused(`id=${id}&what=bans`, 'backup-unfit', /has no bans/);
  const damaged = Buffer.from(whole);
  damaged.writeUInt8(damaged.readUInt8(whole.length - 50) ^ 1, whole.length - 50);
  writeFileSync(path, damaged);
  await refused(`id=${id}`, 'backup-unfit', /cannot be used/);
  const other = '20261120T190000Z-aaaaaa';
  writeFileSync(join(backups, `${other}${backupFileEnds}`), whole);
  await refused(`id=${other}`, 'backup-unfit', new RegExp(`is the backup ${id} under another name`));
  writeFileSync(path, whole);
  emptied(saves);
  plant(saves, { 'Another_7/SaveGameInfo': 'half a save' });
  await refused(
    `id=${id}`,
    'backup-unfit',
    /is from Meadow_1, and this server has Another_7: .*Nothing was changed/,
  );
  await refused(`id=${id}&what=bans`, 'backup-unfit', /has no bans/);
  emptied(saves);
  expect((await ask('POST', `/backups/restore?id=${id}`)).status).toBe(200);
});

it('takes a folder that is not called as a save is for no farm, here and in the backup', async () => {
  await using stage = await restoreStage();
  const { saves } = stage.places;
  plant(saves, { ...saveOf('then'), 'old/x': 'then' });
  const id = await stage.backup();
  const restore = () => stage.ask('POST', `/backups/restore?id=${id}`);
  emptied(saves);
  plant(saves, { 'old/x': 'now', 'Another_7/SaveGameInfo': 'half a save' });
  expect((await restore()).body).toMatchObject({
    code: 'backup-unfit',
    detail: expect.stringMatching(/is from Meadow_1, and this server has Another_7: /),
  });
  emptied(saves);
  plant(saves, { '@eaDir/x': 'now' });
  expect(await restore()).toMatchObject({ status: 200 });
  expect(readdirSync(saves).toSorted()).toEqual(['@eaDir', meadow, 'old']);
});

it('refuses a place that takes nothing before anything is stopped for it', async () => {
  using directory = temporaryDirectory();
  // No system takes a longer way than this one with something below it.
  const way = `${directory.path}/${`${'x'.repeat(200)}/`.repeat(20)}`;
  const root = way.padEnd(4_090, 'x').slice(0, 4_090);
  mkdirSync(root, { recursive: true });
  const plan = { places: [{ root, coming: [], leaving: [] }], to: {}, bytes: new Map() };
  await expect(checkRoom(plan)).rejects.toMatchObject({
    code: 'backup-failed',
    message: expect.stringMatching(/cannot be written \(ENAMETOOLONG\).*Nothing was changed/),
  });
});

it('refuses a place that has no room before anything is put there', async () => {
  using directory = temporaryDirectory();
  const root = directory.path;
  const bytes = new Map([[root, Number.MAX_SAFE_INTEGER]]);
  const plan = { places: [{ root, coming: [], leaving: [] }], to: {}, bytes };
  await expect(checkRoom(plan)).rejects.toMatchObject({
    code: 'no-room',
    message: expect.stringContaining('free some space there'),
  });
  expect(readdirSync(root)).toEqual([]);
});

it('says of a disk that takes nothing what it said', () => {
  const error = Object.assign(new Error('EROFS: read-only file system, mkdir'), {
    code: 'EROFS',
    syscall: 'mkdir',
  });
  expect(whyNot({ id: '20261122T190000Z-3f9a7c' }, error)).toMatchObject({
    code: 'backup-failed',
    message: expect.stringMatching(/was not restored: EROFS: .*Nothing was changed/),
  });
});

it('is refused while a game runs that somebody else has started, and while another is under way', async () => {
  await using stage = await restoreStage();
  const { places, ask, mode, service } = stage;
  plant(places.saves, saveOf('then'));
  const id = await stage.backup();
  const game = fullGame(['save']);
  const end = mode.connect();
  void game.connect(end.stream);
  await stage.live();
  const running = await ask('POST', `/backups/restore?id=${id}`);
  expect(running).toMatchObject({
    status: 409,
    body: { code: 'game-running', detail: expect.stringMatching(/stop it, try again/) },
  });
  end.cut();
  await stateThat(service.bridge, ({ link }) => link.status === 'gone');
  const both = await Promise.all(
    ['k-1', 'k-1', 'k-2'].map((key) => ask('POST', `/backups/restore?id=${id}`, key)),
  );
  expect(both.map(({ status }) => status)).toEqual([200, 200, 409]);
  expect(both[1]).toEqual(both[0]);
  expect(both[2]?.body).toMatchObject({ code: 'backup-under-way' });
  expect(await ask('POST', `/backups/restore?id=${id}`, 'k-1')).toEqual(both[0]);
  expect(stage.events.filter(({ type }) => type === 'backups.restored')).toHaveLength(1);
});

it('replaces nothing where a game that was between two connections says meanwhile that it has a farm loaded', async () => {
  const archivist = new ThreadArchivist();
  const unpack = archivist.unpack.bind(archivist);
  let meanwhile = async () => {};
  archivist.unpack = async (path, to, signal) => {
    await meanwhile();
    return unpack(path, to, signal);
  };
  await using stage = await restoreStage({ archivist });
  const { places, ask, mode, service } = stage;
  const { id, then, now } = await playedOn(stage);
  meanwhile = async () => void (await fullGame(['save']).connect(mode.connect().stream));
  expect(await ask('POST', `/backups/restore?id=${id}`)).toMatchObject({
    status: 409,
    body: { code: 'game-running', detail: expect.stringMatching(/has a farm loaded.*stop it, try again/) },
  });
  expect(treeOf(places.saves)).toEqual(now);
  expect(service.bridge.state.link.status).toBe('waiting');
  // One that has just started, and has none, waits until it may come.
  meanwhile = async () => {
    const end = mode.connect();
    const { farm: _, ...params } = hello.params;
    end.say({ ...hello, params });
    await settled();
  };
  expect((await ask('POST', `/backups/restore?id=${id}`)).status).toBe(200);
  expect(treeOf(places.saves)).toEqual(then);
});

it('replaces nothing beside a game that was refused a moment ago, as players were seen off, and has a farm loaded', async () => {
  const clock = new ManualClock();
  await using stage = await restoreStage({ clock });
  const { places, ask, mode, service } = stage;
  const { id, then, now } = await playedOn(stage);
  clock.advance(returnMs);
  await service.bridge.holdGame('drain', { reason: 'players were seen off', remedy: 'DELETE /drain' });
  clock.advance(returnMs);
  const dialsIn = async () => void (await fullGame(['save']).connect(mode.connect().stream));
  const running = {
    status: 409,
    body: { code: 'game-running', detail: expect.stringMatching(/has a farm loaded/) },
  };
  for (const _ of ['one', 'and one more right after it']) {
    await dialsIn();
    expect(await ask('POST', `/backups/restore?id=${id}`)).toMatchObject(running);
    expect(await ask('POST', `/backups/restore?id=${id}`)).toMatchObject(running);
    expect(treeOf(places.saves)).toEqual(now);
  }
  // What kept the game away still does.
  expect(service.bridge.state.link).toMatchObject({ status: 'stopped', reason: 'players were seen off' });
  // One that was stopped dials in no more.
  clock.advance(returnMs);
  expect(await ask('POST', `/backups/restore?id=${id}`)).toMatchObject({ status: 200 });
  expect(treeOf(places.saves)).toEqual(then);
});

it('replaces nothing before a game that may be between two connections would have dialled in again', async () => {
  const clock = new ManualClock();
  const after = clock.after.bind(clock);
  let waits = (_ms: number) => {};
  clock.after = (ms, action) => {
    waits(ms);
    return after(ms, action);
  };
  await using stage = await restoreStage({ clock });
  const { places, ask, mode, service } = stage;
  const { id, then, now } = await playedOn(stage);
  const farm = fullGame(['save']);
  const running = {
    status: 409,
    body: { code: 'game-running', detail: expect.stringMatching(/farm loaded/) },
  };
  const refusedOnceItIsThere = async () => {
    const { promise: isAwaited, resolve } = Promise.withResolvers<void>();
    waits = (ms) => {
      if (ms === returnMs) resolve();
    };
    const restoring = ask('POST', `/backups/restore?id=${id}`);
    // One that does not wait is over before the game is back.
    await Promise.race([isAwaited, restoring]);
    clock.advance(bridgeTiming.redial);
    await farm.connect(mode.connect().stream);
    clock.advance(bridgeTiming.redial);
    expect(await restoring).toMatchObject(running);
    expect(treeOf(places.saves)).toEqual(now);
  };
  // It has not dialled in since the service was started.
  await refusedOnceItIsThere();
  const end = mode.connect();
  await farm.connect(end.stream);
  await stage.live();
  end.cut();
  await stateThat(service.bridge, ({ link }) => link.status === 'gone');
  await refusedOnceItIsThere();
  clock.advance(returnMs);
  expect(await ask('POST', `/backups/restore?id=${id}`)).toMatchObject({ status: 200 });
  expect(treeOf(places.saves)).toEqual(then);
});

it('waits for no game any more where the service stops meanwhile, and replaces nothing', async () => {
  const archivist = new ThreadArchivist();
  const unpack = archivist.unpack.bind(archivist);
  const { promise: isUnpacked, resolve } = Promise.withResolvers<void>();
  archivist.unpack = async (path, to, signal) => {
    const manifest = await unpack(path, to, signal);
    resolve();
    return manifest;
  };
  await using stage = await restoreStage({ archivist, clock: new ManualClock() });
  const { places, ask } = stage;
  plant(places.saves, saveOf('then'));
  const id = await stage.backup();
  plant(places.saves, saveOf('now'));
  const now = treeOf(places.saves);
  const restoring = ask('POST', `/backups/restore?id=${id}`);
  // What is left then is to wait for the game.
  await isUnpacked;
  await stage.stop();
  expect((await restoring).body).toMatchObject({ code: 'shutting-down' });
  expect(treeOf(places.saves)).toEqual(now);
});

it('tells nothing more of a backup or a restore that was refused once the service is started again, and frees its key', async () => {
  using directory = temporaryDirectory();
  const { saves, backups } = placesIn(directory.path);
  let id = '';
  {
    await using stage = await restoreStage({ at: directory.path });
    expect((await stage.ask('POST', '/backups', 'k-1')).body).toMatchObject({ code: 'no-save' });
    plant(saves, saveOf('then'));
    id = await stage.backup();
    emptied(saves);
    plant(saves, { 'Another_7/SaveGameInfo': 'half a save' });
    const restore = await stage.ask('POST', `/backups/restore?id=${id}`, 'k-2');
    expect(restore.body).toMatchObject({ code: 'backup-unfit' });
  }
  // Whatever cannot be read might be what an interrupted backup has made.
  writeFileSync(join(backups, `20261120T190000Z-aaaaaa${backupFileEnds}`), 'no archive');
  await using stage = await restoreStage({ at: directory.path });
  const told = stage.events.filter(({ type }) => type.startsWith('operations') || type.startsWith('backups'));
  expect(told).toEqual([]);
  const { operations } = (await stage.ask('GET', '/operations')).body as { operations: object[] };
  expect(operations).toMatchObject([
    { command: 'restoreBackup', state: 'void', why: expect.stringMatching(/is from Meadow_1/) },
    { command: 'createBackup', state: 'applied' },
    { command: 'createBackup', state: 'void', why: expect.stringMatching(/save/) },
  ]);
  emptied(saves);
  plant(saves, saveOf('then'));
  expect((await stage.ask('POST', `/backups/restore?id=${id}`, 'k-2')).status).toBe(200);
  expect((await stage.ask('POST', '/backups', 'k-1')).status).toBe(200);
});

it('brings the owners of that day with the save, and the settings where it is asked to', async () => {
  await using stage = await restoreStage({ spawns: true });
  const { places, ask, service } = stage;
  const farmhand = '-620826087702429092';
  const owner = () => service.ownership.view.map?.farmhands[farmhand];
  const rebind = (to: string) => ask('POST', `/farmhands/rebind?playerId=${farmhand}&identity=${to}`);
  await stage.live();
  await service.bridge.run({ name: 'save', params: {} });
  plant(places.saves, { [`${meadow}/SaveGameInfo`]: 'then' });
  await rebind('76561198000000001');
  await ask('POST', '/settings?maxPlayers=5');
  const id = await stage.backup();
  const empty = join(places.state, 'farms', 'Third_3');
  await rebind('76561198000000002');
  await ask('POST', '/settings?maxPlayers=7');
  mkdirSync(empty);
  await ask('POST', `/backups/restore?id=${id}`);
  await stage.live();
  await expect.poll(owner).toMatchObject({ id: '76561198000000001' });
  expect(service.settings.view.effective.server.maxPlayers).toBe(7);
  // Of a farm that the backup does not have everything stays.
  expect(existsSync(empty)).toBe(true);
  stage.events.length = 0;
  await ask('POST', `/backups/restore?id=${id}&what=settings`);
  await stage.live();
  expect(service.settings.view).toMatchObject({
    effective: { server: { maxPlayers: 5 } },
    inGame: { maxPlayers: 5 },
  });
  expect(stage.events.map(({ type }) => type)).toContain('server.settingsChanged');
});

it('restores a backup that has files beside the folders of owners, as a desktop leaves some there', async () => {
  await using stage = await restoreStage();
  const { places, ask } = stage;
  const farms = join(places.state, 'farms');
  plant(places.saves, saveOf('then'));
  plant(farms, { '.DS_Store': 'then', 'old-map.json': '{}' });
  const id = await stage.backup();
  plant(farms, { '.DS_Store': 'now' });
  expect(await ask('POST', `/backups/restore?id=${id}`)).toMatchObject({ status: 200 });
  expect(readFileSync(join(farms, '.DS_Store'), 'utf8')).toBe('then');
});

it.each(['', '&what=owners'])(
  'leaves nobody owning anything where nobody did on that day%s',
  async (what) => {
    await using stage = await restoreStage({ spawns: true });
    const { places, ask, service } = stage;
    const farmhand = '-620826087702429092';
    const owners = () => service.ownership.view.map?.farmhands;
    await stage.live();
    await service.bridge.run({ name: 'save', params: {} });
    plant(places.saves, { [`${meadow}/SaveGameInfo`]: 'then' });
    const id = await stage.backup();
    await ask('POST', `/farmhands/rebind?playerId=${farmhand}&identity=76561198000000001`);
    expect(owners()).toHaveProperty(farmhand);
    await ask('POST', `/backups/restore?id=${id}${what}`);
    await stage.live();
    await expect.poll(owners).toEqual({});
  },
);

it('brings back no key that was revoked since, and takes no line from the audit, also of a backup of all, and over a restart', async () => {
  using directory = temporaryDirectory();
  const options = { at: directory.path, environment: { API_KEY: 'the-owner' } };
  let secret = '';
  const whoami = async ({ service }: RestoreStage) => {
    const headers = { authorization: `Bearer ${secret}` };
    return JSON.parse((await service.app.inject({ url: '/whoami', headers })).body) as object;
  };
  const revokedIn = async ({ ask }: RestoreStage) =>
    (await ask('GET', '/audit?action=revokeKey')).body['lines'];
  const isRevoked = async (stage: RestoreStage) => {
    expect(await whoami(stage)).toMatchObject({ status: 401, code: 'key-ended' });
    expect(await revokedIn(stage)).toMatchObject([{ actor: 'owner', outcome: 'applied' }]);
  };
  {
    await using stage = await restoreStage(options);
    const { places, ask } = stage;
    plant(places.saves, saveOf('then'));
    secret = String((await ask('POST', '/keys?name=guest&scopes=read')).body['secret']);
    const id = await stage.backup('?all=true');
    expect(await whoami(stage)).toMatchObject({ name: 'guest' });
    expect(await revokedIn(stage)).toEqual([]);
    plant(places.saves, saveOf('now'));
    expect((await ask('DELETE', '/keys?name=guest')).status).toBe(200);
    expect((await ask('POST', `/backups/restore?id=${id}`)).status).toBe(200);
    expect(readFileSync(join(places.saves, meadow, meadow), 'utf8')).toBe('then');
    await isRevoked(stage);
  }
  await using later = await restoreStage(options);
  await isRevoked(later);
});

it('brings bans back only where it is asked to, and they hold at once', async () => {
  await using stage = await restoreStage();
  const { places, ask } = stage;
  plant(places.saves, saveOf('then'));
  const ban = (identity: string) => ask('POST', `/bans?identity=${identity}`);
  const banned = async () => {
    const { body } = await ask('GET', '/bans');
    return (body['bans'] as { identity?: string }[]).map(({ identity }) => identity).toSorted();
  };
  await ban('76561198000000001');
  const id = await stage.backup();
  await ban('76561198000000002');
  await ask('POST', `/backups/restore?id=${id}`);
  expect(await banned()).toEqual(['76561198000000001', '76561198000000002']);
  await ask('POST', `/backups/restore?id=${id}&what=bans`);
  expect(await banned()).toEqual(['76561198000000001']);
  // What is banned next is written beside what came back.
  await ban('76561198000000003');
  expect(await banned()).toEqual(['76561198000000001', '76561198000000003']);
});

it('puts bans in the place of a link to a list that others share, which stays as it is', async () => {
  await using stage = await restoreStage();
  const { places, ask } = stage;
  plant(places.saves, saveOf('then'));
  await ask('POST', '/bans?identity=76561198000000001');
  const id = await stage.backup();
  using elsewhere = temporaryDirectory();
  const [own, shared] = [join(places.state, 'bans.json'), join(elsewhere.path, 'shared.json')];
  writeFileSync(shared, '{"bans": [{"identity": "76561198000000002"}]}');
  rmSync(own);
  symlinkSync(shared, own);
  expect(await ask('POST', `/backups/restore?id=${id}&what=bans`)).toMatchObject({ status: 200 });
  expect(readFileSync(shared, 'utf8')).toBe('{"bans": [{"identity": "76561198000000002"}]}');
  expect(readdirSync(elsewhere.path)).toEqual(['shared.json']);
  expect(lstatSync(own).isFile()).toBe(true);
  expect(readFileSync(own, 'utf8')).toContain('76561198000000001');
});

const name = fc.stringMatching(/^[A-Za-z0-9 ._'-]{0,12}[A-Za-z0-9]$/).filter((each) => !each.startsWith('.'));
const file = fc.record({
  text: fc.uint8Array({ maxLength: 400 }),
  mode: fc.constantFrom(0o600, 0o644, 0o640, 0o444, 0o755),
  modifiedAt: fc.integer({ min: 0, max: 1_900_000_000 }),
});
const saved = fc.dictionary(
  fc
    .tuple(name, fc.array(name, { maxLength: 2 }))
    .map(([farm, more]) => [`${farm}_1`, ...more, 'f_1'].join('/')),
  file,
  {
    minKeys: 1,
    maxKeys: 12,
  },
);

it(
  'puts back any tree of saves byte for byte, with modes and times, whatever became of it',
  async () => {
    await using stage = await restoreStage();
    const { saves } = stage.places;
    await fc.assert(
      fc.asyncProperty(saved, saved, async (then, since) => {
        emptied(saves);
        plant(saves, { ...saveOf('then'), ...then });
        const before = treeOf(saves);
        const id = await stage.backup();
        // What is still there is what a player has changed; another farm beside it stays.
        for (const path of Object.keys(then).slice(1)) rmSync(join(saves, path), { force: true });
        plant(saves, { ...since, 'Beside_2/Beside_2': 'another' });
        const { status, body } = await stage.ask('POST', `/backups/restore?id=${id}`);
        expect({ status, body }).toMatchObject({ status: 200 });
        const farms = new Set(Object.keys(before).map((path) => path.split('/')[0]));
        const now = Object.entries(treeOf(saves)).filter(([path]) => farms.has(path.split('/')[0]));
        expect(Object.fromEntries(now)).toEqual(before);
        expect(readFileSync(join(saves, 'Beside_2/Beside_2'), 'utf8')).toBe('another');
        rmSync(stage.places.backups, { recursive: true });
      }),
      { numRuns: count({ small: 4, long: 300 }) },
    );
  },
  count({ small: 120_000, long: 1_200_000 }),
);
