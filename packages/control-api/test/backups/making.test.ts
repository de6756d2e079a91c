import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backupFileEnds } from '@steward/shared/backups';
import { expect, it } from 'vitest';

import { backupPlaces, farmFolder } from '../api/stage/left-backups.ts';
import { openApi } from '../api/stage/open-api.ts';
import { oneArchivist } from './stage/one-archivist.ts';

it('is made of the last save while the farm goes on, and lies there readable by the service alone', async () => {
  await using api = await openApi({ leftBackups: [] });
  const { BACKUP_DIR } = backupPlaces(api.directory);
  const answer = await api.ask('POST', '/backups?note=before%20the%20new%20mods&keep=true');
  expect(answer.statusCode).toBe(200);
  const { backup } = JSON.parse(answer.body);
  expect(backup).toMatchObject({
    madeAt: '2026-11-21T00:00:00.000Z',
    madeBy: '0.1.0',
    why: 'asked',
    note: 'before the new mods',
    keep: true,
    all: false,
    farm: { farmId: farmFolder, saveGeneration: 12 },
    parts: ['saves', 'owners', 'settings', 'database'],
  });
  expect(backup.missing).toBeUndefined();
  const path = join(BACKUP_DIR, `${backup.id}${backupFileEnds}`);
  expect(readdirSync(BACKUP_DIR)).toEqual([`${backup.id}${backupFileEnds}`]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(BACKUP_DIR).mode & 0o777).toBe(0o700);
  const { entries } = await oneArchivist.verify(path);
  expect(entries.filter(({ kind }) => kind === 'file').map((entry) => entry.path)).toEqual([
    `saves/${farmFolder}/SaveGameInfo`,
    `saves/${farmFolder}/${farmFolder}`,
    'settings/server-settings.json',
    'database/steward.db',
  ]);
  const listed = JSON.parse((await api.ask('GET', '/backups')).body);
  expect(listed).toMatchObject({ backups: [backup], unreadable: [], bytes: backup.bytes, rule: '7d4w6m' });
  const file = await api.app.inject({ url: `/backups/${backup.id}/file` });
  expect(file.rawPayload.equals(readFileSync(path))).toBe(true);
  expect(existsSync(path)).toBe(true);
});
