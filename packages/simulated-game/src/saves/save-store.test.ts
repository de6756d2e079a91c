import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { testSettings } from '../../test/test-farm.ts';
import { Random } from '../time/random.ts';
import { foundFarm } from './farm-state.ts';
import { FileSaves, MemorySaves } from './save-store.ts';

const farm = foundFarm(testSettings, new Random('saves'));

it('has nothing before the first save, and gives out copies after it', () => {
  using directory = temporaryDirectory();
  for (const saves of [new MemorySaves(), new FileSaves(join(directory.path, 'deep', 'save.json'))]) {
    expect(saves.load()).toBeUndefined();
    saves.write(farm);
    const loaded = saves.load();
    expect(loaded).toEqual(farm);
    if (loaded !== undefined) loaded.farmName = 'changed';
    expect(saves.load()).toEqual(farm);
  }
});

it('keeps the old save while a new one is half written', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'save.json');
  const saves = new FileSaves(path);
  saves.write(farm);
  writeFileSync(`${path}.new`, '{"farmId": "half');
  expect(saves.load()).toEqual(farm);
  saves.write({ ...farm, generation: 9 });
  expect(saves.load()?.generation).toBe(9);
  expect(readdirSync(directory.path)).toEqual(['save.json']);
});

it('refuses a save that it cannot read, rather than founding another farm over it', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'save.json');
  for (const text of ['', 'not JSON', '{}', JSON.stringify({ ...farm, timeOfDay: 2700 })]) {
    writeFileSync(path, text);
    expect(() => new FileSaves(path).load()).toThrow(/move it away to found a new farm/);
  }
});
