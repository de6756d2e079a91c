import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { testSettings } from '../../test/test-farm.ts';
import { Random } from '../time/random.ts';
import { type FarmState, foundFarm } from './farm-state.ts';
import { MemorySaves, SaveFolders } from './save-store.ts';

const farm = foundFarm(testSettings, new Random('saves'));
const { farmId } = farm;

/** What a reader who knows the real game's saves finds. */
function shown(directory: string, ...path: string[]): Record<string, string> {
  const text = readFileSync(join(directory, ...path), 'utf8');
  const names = ['name', 'farmName', 'dayOfMonth', 'currentSeason', 'year', 'uniqueIDForThisGame'];
  const ofInfo = ['dayOfMonthForSaveGame', 'seasonForSaveGame', 'yearForSaveGame', 'gameVersion'];
  return Object.fromEntries(
    ['root', ...names, ...ofInfo].flatMap((name) => {
      const pattern = name === 'root' ? /\?><(\w+)/ : new RegExp(`<${name}>([^<]*)</${name}>`);
      const [, found] = pattern.exec(text) ?? [];
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

it('has nothing before the first save, and gives out copies after it', () => {
  using directory = temporaryDirectory();
  for (const saves of [new MemorySaves(), new SaveFolders({ directory: join(directory.path, 'deep') })]) {
    expect(saves.load()).toBeUndefined();
    saves.write(farm);
    const loaded = saves.load();
    expect(loaded).toEqual(farm);
    if (loaded !== undefined) loaded.farmName = 'changed';
    expect(saves.load()).toEqual(farm);
  }
});

it('lays a save out as the real game does, with the one before it beside it', () => {
  using directory = temporaryDirectory();
  expect(farmId).toMatch(/^Sunnybrook_[0-9]{9}$/);
  const saves = new SaveFolders({ directory: directory.path });
  saves.write(farm);
  expect(readdirSync(directory.path)).toEqual([farmId]);
  expect(readdirSync(join(directory.path, farmId))).toEqual(['SaveGameInfo', farmId]);
  saves.write({ ...farm, generation: 2, day: 28, season: 'winter', year: 3 });
  expect(readdirSync(join(directory.path, farmId)).toSorted()).toEqual(
    [farmId, `${farmId}_old`, 'SaveGameInfo', 'SaveGameInfo_old'].toSorted(),
  );
  const player = { name: 'Host', farmName: 'Sunnybrook', gameVersion: '1.6.15' };
  const day = { dayOfMonthForSaveGame: '28', seasonForSaveGame: '3', yearForSaveGame: '3' };
  expect(shown(directory.path, farmId, 'SaveGameInfo')).toEqual({ root: 'Farmer', ...player, ...day });
  expect(shown(directory.path, farmId, farmId)).toEqual({
    root: 'SaveGame',
    ...player,
    ...day,
    dayOfMonth: '28',
    currentSeason: 'winter',
    year: '3',
    uniqueIDForThisGame: farmId.split('_')[1],
  });
  expect(shown(directory.path, farmId, `${farmId}_old`)).toMatchObject({ dayOfMonth: '1', year: '1' });
});

it.each(['<&>"\'', 'a</simulation>', '&amp;', '農場', '\u0001\u007f\ufffe\ud800', '🌻'])(
  'keeps a farm and a host called %j',
  (name) => {
    using directory = temporaryDirectory();
    const saves = new SaveFolders({ directory: directory.path });
    const named = { ...farm, farmName: name, host: { id: '1', name } };
    saves.write(named);
    expect(saves.load()).toEqual(named);
  },
);

it.each([
  ['農場', /^Farm_[0-9]{9}$/],
  ['Été d’or 2', /^Etedor2_[0-9]{9}$/],
  ['../up', /^up_[0-9]{9}$/],
  ['x'.repeat(300), /^x{60}_[0-9]{9}$/],
])('calls the folder of %s by what of it any system can hold', (farmName, name) => {
  const settings = { ...testSettings, game: { ...testSettings.game, farmName } };
  expect(foundFarm(settings, new Random('named')).farmId).toMatch(name);
});

it('opens the one that it is told, or the only one, and goes on with it', () => {
  using directory = temporaryDirectory();
  const [first, second] = ['One_1', 'Two_2'].map((id): FarmState => ({ ...farm, farmId: id }));
  for (const state of [first, second]) if (state) new SaveFolders({ directory: directory.path }).write(state);
  mkdirSync(join(directory.path, 'no-save'));
  expect(() => new SaveFolders({ directory: directory.path }).load()).toThrow(
    /name the one to open in FARM_SAVE_NAME, of One_1, Two_2$/,
  );
  expect(() => new SaveFolders({ directory: directory.path, name: 'Three_3' }).load()).toThrow(
    /not one of the saves/,
  );
  const told = new SaveFolders({ directory: directory.path, name: 'Two_2' });
  expect(told.load()).toEqual(second);
  told.write({ ...farm, farmId: 'Two_2', generation: 9 });
  expect(told.load()?.generation).toBe(9);
  expect(new SaveFolders({ directory: directory.path, name: 'One_1' }).load()).toEqual(first);
});

it('takes up the file of an earlier version once, under the id that it had', () => {
  using directory = temporaryDirectory();
  const old = { ...farm, farmId: 'farm-996984138204078720', openings: 3, farmName: 'Junimo' };
  writeFileSync(join(directory.path, 'save.json'), JSON.stringify(old));
  const saves = new SaveFolders({ directory: join(directory.path, 'saves') });
  expect(saves.load()?.farmId).toBe(old.farmId);
  expect(readdirSync(join(directory.path, 'saves'))).toEqual(['Junimo_996984138204078720']);
  saves.write({ ...farm, farmId: old.farmId, generation: 7 });
  const again = new SaveFolders({ directory: join(directory.path, 'saves') });
  expect(again.load()).toMatchObject({ farmId: old.farmId, generation: 7 });
});

it('refuses a save that it cannot read, rather than founding another farm over it', () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, 'saves', 'Meadow_1');
  mkdirSync(folder, { recursive: true });
  const realOne =
    '<?xml version="1.0" encoding="utf-8"?><SaveGame><player><name>Ann</name></player></SaveGame>';
  for (const text of ['', 'no XML', realOne, `${realOne.slice(0, 60)}`]) {
    writeFileSync(join(folder, 'Meadow_1'), text);
    const saves = new SaveFolders({ directory: join(directory.path, 'saves') });
    expect(() => saves.load()).toThrow(/move it away to create a new farm/);
  }
});

it('makes a save as large as real ones are', () => {
  using directory = temporaryDirectory();
  const bytes = 5_000_000;
  const saves = new SaveFolders({ directory: directory.path, bytes });
  saves.write(farm);
  const { size } = statSync(join(directory.path, farmId, farmId));
  expect([size > bytes, size < 1.01 * bytes]).toEqual([true, true]);
  expect(saves.load()).toEqual(farm);
});

it(
  'leaves the old save or the new one when it is killed',
  async () => {
    using directory = temporaryDirectory();
    for (let kill = 0, known = 0; kill < count({ small: 5, long: 200 }); kill++) {
      await using writer = new Program('packages/simulated-game/test/endless-saves.ts', [directory.path]);
      const [, told = ''] = await writer.line(/^saved (\d+)$/);
      await writer.line(new RegExp(`^saved ${Number(told) + 1 + (kill % 7)}$`));
      writer.kill('SIGKILL');
      await writer.exited;
      const last = Number(writer.stdout.at(-1)?.split(' ')[1]);
      const { generation = 0 } = new SaveFolders({ directory: directory.path }).load() ?? {};
      expect(generation).toBeGreaterThanOrEqual(last);
      expect(generation).toBeGreaterThan(known);
      known = generation;
    }
  },
  count({ small: 60_000, long: 600_000 }),
);
