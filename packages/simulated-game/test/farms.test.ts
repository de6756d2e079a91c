import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { decode } from 'fast-png';
import { expect, it } from 'vitest';
import { savedFarms } from '../src/bridge/state-of-farm.ts';
import { bindCommand } from '../src/commands/all-commands.ts';
import { CommandDesk } from '../src/commands/command-desk.ts';
import type { Outcome } from '../src/commands/game-command.ts';
import { pictureOf } from '../src/picture/picture.ts';
import { MemorySaves, SaveFolders, type SaveStore } from '../src/saves/save-store.ts';
import { joiningSeconds, type TestFarm, testFarm, testSettings, throughFriends } from './test-farm.ts';

/** What the command ends with, each claim of which is granted. */
function told(
  test: TestFarm,
  desk: CommandDesk,
  id: string,
  name: 'newFarm' | 'loadFarm',
  params: object,
): unknown {
  const command = bindCommand(name, { command: id, ...params });
  if (!command.ok) throw new Error(command.reason);
  let outcome: unknown;
  desk.take(id, command.value, (answer) => {
    outcome = answer as Outcome;
  });
  test.seconds(10);
  return outcome;
}

function opened(saves: SaveStore) {
  const test = testFarm({ saves });
  const desk = new CommandDesk(test.farm, (_id, granted) => granted({ ok: true, value: true }));
  return { test, desk, farm: test.farm };
}

const riverbend = { game: { ...testSettings.game, farmName: 'Riverbend', startingCabins: 3 } };

it.each([
  ['in memory', () => new MemorySaves()],
  ['in folders', (directory: string) => new SaveFolders({ directory })],
])('goes on to a new farm and back, %s, and a crash opens the one that was loaded last', (_where, store) => {
  using directory = temporaryDirectory();
  const { test, desk, farm } = opened(store(directory.path));
  const first = farm.world.state.farmId;
  const made = told(test, desk, '1', 'newFarm', riverbend);
  const { farmId, farmhands, journal } = farm.world.state;
  expect(made).toMatchObject({ outcome: 'applied', before: { farmId: first }, after: { farmId } });
  expect(farmId).toMatch(/^Riverbend_/);
  expect(farmhands).toHaveLength(3);
  expect(journal.map(({ command }) => command)).toEqual(['1']);
  expect(savedFarms(farm).map(({ id, isLoaded }) => [id, isLoaded])).toEqual(
    expect.arrayContaining([
      [first, false],
      [farmId, true],
    ]),
  );
  farm.crash();
  expect(farm.world.state).toMatchObject({ farmId, journal: [{ command: '1' }] });
  expect(told(test, desk, '2', 'loadFarm', { farmId: first })).toMatchObject({ after: { farmId: first } });
  farm.crash();
  expect(farm.world.state).toMatchObject({ farmId: first, journal: [{ command: '2' }] });
  expect(told(test, desk, '3', 'loadFarm', { farmId: 'Nowhere_1' })).toMatchObject({ code: 'not-found' });
});

it('a process that starts again opens the farm that was loaded last, without being told which', () => {
  using directory = temporaryDirectory();
  const { test, desk } = opened(new SaveFolders({ directory: directory.path }));
  told(test, desk, '1', 'newFarm', riverbend);
  expect(new SaveFolders({ directory: directory.path }).load()?.farmName).toBe('Riverbend');
  expect(
    new SaveFolders({ directory: directory.path, name: test.farm.world.state.farmId }).load()?.farmName,
  ).toBe('Riverbend');
});

it('passes over folders in which there is no save of this farm', () => {
  using directory = temporaryDirectory();
  const { farm } = opened(new SaveFolders({ directory: directory.path }));
  mkdirSync(join(directory.path, 'Notes'));
  expect(readdirSync(directory.path)).toContain('Notes');
  expect(savedFarms(farm)).toHaveLength(1);
});

it('leaves the farm alone while somebody plays', () => {
  const { test, desk, farm } = opened(new MemorySaves());
  farm.players.called('Robin', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  expect(farm.sessions.count).toBe(1);
  expect(told(test, desk, '1', 'newFarm', riverbend)).toMatchObject({ code: 'players-online' });
});

it('shows its ground, its cabins and who is there, and gets dark in the evening', () => {
  const { test, farm } = opened(new MemorySaves());
  const empty = pictureOf(farm);
  expect(decode(empty)).toMatchObject({ width: 640, height: 520, channels: 3 });
  expect(empty.length).toBeLessThan(20_000);
  farm.players.called('Robin', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  expect(pictureOf(farm).equals(empty)).toBe(false);
  farm.world.state.timeOfDay = 2600;
  const [red = 0] = decode(pictureOf(farm)).data;
  expect(red).toBeLessThan(Number(decode(empty).data[0]));
});
