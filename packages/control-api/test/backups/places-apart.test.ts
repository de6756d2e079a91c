import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { restoreStage } from './stage/restore-stage.ts';

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
