import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { meadow, restoreStage } from './stage/restore-stage.ts';
import { plant, treeOf } from './stage/trees.ts';

const started = async (at: string, environment: Record<string, string>) => {
  await using stage = await restoreStage({ at, environment });
  return stage.service.backups.isOn;
};

it.each([
  ['BACKUP_DIR', 'saves'],
  ['BACKUP_DIR', 'saves/backups'],
  ['BACKUP_DIR', 'linked/not/there/yet'],
  ['STATE_DIR', 'saves'],
  ['STATE_DIR', 'linked/state'],
  ['BACKUP_DIR', 'state/farms/backups'],
])('refuses %s at %s, of which each backup would have all the others, or the keys', async (name, path) => {
  using directory = temporaryDirectory();
  const at = directory.path;
  mkdirSync(join(at, 'saves'));
  symlinkSync('saves', join(at, 'linked'));
  const where = join(at, path);
  await expect(started(at, { [name]: where })).rejects.toThrow(`${name}: ${where} is inside `);
});

it.each([
  ['GAME_SAVES_DIR', 'backups/saves'],
  ['GAME_SAVES_DIR', 'state/saves'],
  ['BACKUP_DIR', 'state/backups'],
  ['BACKUP_DIR', 'saves-and-more'],
  ['BACKUP_DIR', 'saves/..hidden/../../b'],
])('takes %s at %s', async (name, path) => {
  using directory = temporaryDirectory();
  mkdirSync(join(directory.path, 'saves'));
  expect(await started(directory.path, { [name]: join(directory.path, path) })).toBe(true);
});

it('follows no link that a game puts in place of GAME_SAVES_DIR while the service runs', async () => {
  using directory = temporaryDirectory();
  const at = (...names: string[]) => join(directory.path, ...names);
  mkdirSync(at('volume', 'Saves'), { recursive: true });
  await using stage = await restoreStage({
    at: at(),
    environment: { GAME_SAVES_DIR: at('volume', 'Saves') },
  });
  const { state, settings } = stage.places;
  plant(at('volume', 'Saves'), {
    [`${meadow}/SaveGameInfo`]: 'a save',
    [`${meadow}/${meadow}`]: 'a save',
    'steward.db': 'planted',
    'server-settings.json': 'planted',
  });
  const id = await stage.backup();
  for (const target of [state, dirname(settings)]) {
    const before = readdirSync(target);
    const database = lstatSync(join(state, 'steward.db')).ino;
    const file = treeOf(dirname(settings));
    renameSync(at('volume', 'Saves'), at('volume', 'aside'));
    symlinkSync(target, at('volume', 'Saves'));
    plant(target, { [`${meadow}/SaveGameInfo`]: 'a save', [`${meadow}/${meadow}`]: 'a save' });
    for (const url of [`/backups/restore?id=${id}`, '/backups']) {
      const { status, body } = await stage.ask('POST', url);
      expect({ status, body }).toMatchObject({
        status: 500,
        body: { code: 'backup-failed', error: expect.stringContaining('restart the service') },
      });
    }
    rmSync(join(target, meadow), { recursive: true });
    expect(readdirSync(target)).toEqual(before);
    expect(lstatSync(join(state, 'steward.db')).ino).toBe(database);
    expect(treeOf(dirname(settings))).toEqual(file);
    rmSync(at('volume', 'Saves'));
    renameSync(at('volume', 'aside'), at('volume', 'Saves'));
  }
  const { body } = await stage.ask('POST', `/backups/restore?id=${id}`);
  expect(body).toMatchObject({ success: true });
});

it('follows a link at GAME_SAVES_DIR that was there before the start', async () => {
  using directory = temporaryDirectory();
  const at = (...names: string[]) => join(directory.path, ...names);
  mkdirSync(at('elsewhere'));
  symlinkSync('elsewhere', at('saves'));
  await using stage = await restoreStage({ at: at() });
  plant(at('elsewhere'), { [`${meadow}/SaveGameInfo`]: 'then', [`${meadow}/${meadow}`]: 'then' });
  const then = treeOf(at('elsewhere'));
  const id = await stage.backup();
  plant(at('elsewhere'), { [`${meadow}/${meadow}`]: 'now' });
  expect((await stage.ask('POST', `/backups/restore?id=${id}`)).body).toMatchObject({ success: true });
  expect(treeOf(at('elsewhere'))).toEqual(then);
});
