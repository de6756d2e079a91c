import { expect, it } from 'vitest';
import type { Controls } from '../src/control/order.ts';
import { orders, ordersHelp } from '../src/control/orders.ts';
import { joiningSeconds, type TestFarm, testFarm, throughFriends } from './test-farm.ts';

/** How an order ends that needs nothing of the process round the farm. */
function given({ farm }: TestFarm, order: string, ...words: readonly string[]): string {
  let end = 'not ended';
  const running = { farm, inLoop: (action: () => void) => action() };
  orders[order]?.run({ running } as unknown as Controls, words, {
    print: () => {},
    done: () => {
      end = 'done';
    },
    failed: () => {
      end = 'failed';
    },
    onGone: () => {},
  });
  return end;
}

it('refuses words and sleep of a player who still makes a character', () => {
  const test = testFarm();
  test.farm.faults.start('late-names', 600_000);
  const robin = test.farm.players.called('Robin', 'stock');
  robin.join(throughFriends);
  test.seconds(joiningSeconds - 10);
  expect(robin.whereabouts).toBe('creating');
  const why = 'Robin is still creating; try again when npm run farm -- show says “playing”';
  expect(() => given(test, 'say', 'Robin', 'hello')).toThrow(why);
  expect(() => given(test, 'sleep', 'Robin')).toThrow(why);
  test.seconds(2 * joiningSeconds);
  expect(given(test, 'say', 'Robin', 'hello')).toBe('done');
  expect(test.told('chat')).toMatchObject([{ author: 'Robin', message: 'hello' }]);
  expect(given(test, 'sleep', 'Robin')).toBe('done');
  expect(test.told('asleep')).toHaveLength(1);
  expect(() => given(test, 'sleep', 'Robin')).toThrow('the farm is saving; try again in the morning');
});

it('loses no lobby that there is not', () => {
  const test = testFarm();
  expect(given(test, 'lose-lobby')).toBe('done');
  expect(test.told('lobby-closed')).toHaveLength(1);
  expect(() => given(test, 'lose-lobby')).toThrow('the farm has no lobby to lose');
});

it('is explained in a checkout by the script that is there', () => {
  expect(ordersHelp()).toMatch(/^npm run farm -- <order>: /);
});
