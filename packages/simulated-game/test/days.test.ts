import { expect, it } from 'vitest';
import type { FarmState } from '../src/saves/farm-state.ts';
import { MemorySaves } from '../src/saves/save-store.ts';
import { stepMilliseconds } from '../src/time/calendar.ts';
import { joiningSeconds, type TestFarm, testFarm, throughFriends } from './test-farm.ts';

const stepSeconds = stepMilliseconds / 1000;
const savingSeconds = 3;

function joined(...names: readonly string[]): TestFarm {
  const test = testFarm();
  for (const name of names) test.farm.players.called(name, 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  return test;
}

it('lets no time pass while nobody is on the farm', () => {
  const test = testFarm();
  test.seconds(10_000);
  expect(test.farm.dayCycle.isPaused).toBe(true);
  expect(test.farm.world.state.timeOfDay).toBe(600);
});

it('steps ten minutes every seven seconds while somebody is', () => {
  const test = joined('Abigail');
  const before = test.told('time').length;
  test.seconds(6 * stepSeconds);
  expect(test.told('time').length - before).toBe(6);
});

it('ends the day when all have gone to bed, saves, and wakes them on the next morning', () => {
  const test = joined('Abigail', 'Sam');
  test.farm.players.find('Abigail')?.sleep();
  expect(test.farm.dayCycle.isSaving).toBe(false);
  test.farm.players.find('Sam')?.sleep();
  expect(test.farm.dayCycle.isSaving).toBe(true);
  test.seconds(savingSeconds);
  expect(test.farm.world.state).toMatchObject({ day: 2, season: 'spring', timeOfDay: 600, generation: 2 });
  expect(test.farm.sessions.all.map(({ asleep }) => asleep)).toEqual([false, false]);
  expect(test.told('day-ended')).toEqual([{ type: 'day-ended', day: 1, season: 'spring', year: 1 }]);
});

it('ends the day at two at night whoever is awake', () => {
  const test = joined('Abigail');
  test.farm.dayCycle.setTime(2550);
  test.seconds(stepSeconds + savingSeconds);
  expect(test.told('day-started')).toMatchObject([{ day: 2 }]);
});

it('lets the others sleep on when the last one awake leaves', () => {
  const test = joined('Abigail', 'Sam');
  test.farm.players.find('Abigail')?.sleep();
  test.farm.players.find('Sam')?.leave();
  test.seconds(savingSeconds);
  expect(test.farm.world.state.day).toBe(2);
});

it('takes nobody in while it saves, and everybody who waited on the next morning', () => {
  const test = joined('Abigail');
  test.farm.faults.start('slow-save', 60_000);
  test.farm.players.find('Abigail')?.sleep();
  test.farm.players.called('Sam', 'stock').join(throughFriends);
  test.seconds(40);
  expect([test.farm.dayCycle.isSaving, test.told('joined').length]).toEqual([true, 1]);
  test.seconds(20);
  expect([test.farm.dayCycle.isSaving, test.told('joined').length]).toEqual([false, 2]);
});

it('saves when asked to while nobody is there, without ending the day', () => {
  const test = testFarm();
  const generations: number[] = [];
  test.farm.dayCycle.saveNow((generation) => generations.push(generation));
  test.seconds(savingSeconds);
  expect(generations).toEqual([2]);
  expect(test.saves.load()).toMatchObject({ day: 1, generation: 2 });
});

it('writes nothing between one save and the next, whatever happens and however it is opened', () => {
  const saves = new WatchedSaves();
  const test = testFarm({ saves });
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  test.farm.dayCycle.setTime(1300);
  test.farm.players.find('Abigail')?.leave();
  test.farm.crash();
  testFarm({ saves });
  expect(saves.written).toBe(1);
});

class WatchedSaves extends MemorySaves {
  written = 0;

  override write(state: FarmState): void {
    this.written += 1;
    super.write(state);
  }
}

it('goes back to the last save when it crashes, and lets everybody come again', () => {
  const test = joined('Abigail');
  test.farm.players.find('Abigail')?.sleep();
  test.seconds(savingSeconds);
  const { timeOfDay, farmhands } = structuredClone(test.farm.world.state);
  test.farm.players.called('Sam', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  test.farm.crash();
  expect(test.farm.world.state).toMatchObject({ timeOfDay, generation: 2 });
  expect(test.farm.slots.all.filter(({ customised }) => customised)).toEqual(
    farmhands.filter(({ customised }) => customised),
  );
  expect(test.farm.sessions.count).toBe(0);
  test.farm.hosting.link('109775240935523415');
  test.farm.players.find('Abigail')?.join(throughFriends);
  test.seconds(joiningSeconds);
  expect(test.told('joined').at(-1)?.farmhandId).toBe(test.told('joined')[0]?.farmhandId);
});

it('gives up what was being saved when it crashes in the middle of a save', () => {
  const test = joined('Abigail');
  test.farm.players.find('Abigail')?.sleep();
  expect(test.farm.dayCycle.isSaving).toBe(true);
  test.farm.crash();
  test.seconds(60);
  expect(test.farm.world.state).toMatchObject({ day: 1, generation: 1 });
  expect(test.farm.dayCycle.isSaving).toBe(false);
});

it('forgets at the next start what a player in creation had claimed when it crashed', () => {
  const test = joined('Sam');
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.seconds(6);
  expect(test.told('joined')).toHaveLength(2);
  test.farm.players.find('Sam')?.sleep();
  test.seconds(savingSeconds);
  expect(test.saves.load()?.farmhands.some(({ stamp }) => stamp !== undefined)).toBe(true);
  test.farm.crash();
  expect(test.told('claim-abandoned')).toHaveLength(1);
  expect(test.farm.slots.all.filter(({ stamp }) => stamp !== undefined)).toMatchObject([{ name: 'Sam' }]);
});
