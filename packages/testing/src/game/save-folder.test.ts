import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.ts';
import { emptyFarm } from './empty-farm.ts';
import { keptIn, writeSaveFolder } from './save-folder.ts';

it('lays a save out as the real game does, and keeps what it is given', () => {
  using directory = temporaryDirectory();
  expect(keptIn(join(directory.path, 'none'))).toBeUndefined();
  const farm = emptyFarm();
  writeSaveFolder(directory.path, farm);
  writeSaveFolder(
    directory.path,
    { ...farm, status: { ...farm.status, day: 7, season: 'fall' } },
    '<&>"a"&lt;',
  );
  expect(keptIn(directory.path)).toBe('<&>"a"&lt;');
  const folder = join(directory.path, 'Meadow_1');
  expect(readdirSync(folder).toSorted()).toEqual([
    'Meadow_1',
    'Meadow_1_old',
    'SaveGameInfo',
    'SaveGameInfo_old',
  ]);
  expect(readFileSync(join(folder, 'Meadow_1'), 'utf8')).toMatch(/<SaveGame>.*<dayOfMonth>7</);
  expect(readFileSync(join(folder, 'Meadow_1_old'), 'utf8')).toMatch(/<dayOfMonth>1</);
  expect(readFileSync(join(folder, 'SaveGameInfo'), 'utf8')).toMatch(/<Farmer>.*<seasonForSaveGame>2</);
});
