import { beforeEach, expect, it } from 'vitest';
import { ChatLedger } from './chat-ledger.ts';

let ledger: ChatLedger;

beforeEach(() => {
  ledger = new ChatLedger();
  for (const bot of ['a', 'b']) ledger.placed(bot, 'one-5');
});

function hear(bot: string, ...numbers: readonly number[]): void {
  for (const number of numbers) ledger.heard(bot, `one-${number}`, `line ${number}`);
}

it('is content where all heard the same in order, with other events between', () => {
  hear('a', 6, 8, 9);
  hear('b', 6, 8);
  ledger.compare();
  expect(ledger.violations).toEqual([]);
  expect([ledger.told, ledger.lines]).toEqual([3, 5]);
});

it('names the bot that missed a line which another heard', () => {
  hear('a', 6, 8, 9);
  hear('b', 6, 9);
  ledger.compare();
  expect(ledger.violations).toEqual(['b never heard one-8, “line 8”']);
});

it.each([
  ['twice', [6, 6]],
  ['out of order', [8, 6]],
  ['from before its place', [4]],
])('notices a line that is heard %s', (_, numbers) => {
  hear('a', ...numbers);
  expect(ledger.violations).toHaveLength(1);
});

it('notices another text under the same cursor', () => {
  hear('a', 6);
  ledger.heard('b', 'one-6', 'something else');
  expect(ledger.violations).toEqual(['one-6 is “line 6” to others, and “something else” to b']);
});

it('takes a gap where another epoch has begun, and then misses nothing of it', () => {
  ledger.gap('a', 'one-5', 'two-2');
  ledger.gap('b', 'one-5', 'two-2');
  ledger.heard('a', 'two-1', 'first');
  ledger.heard('a', 'two-2', 'second');
  ledger.heard('b', 'two-2', 'second');
  ledger.compare();
  expect(ledger.violations).toEqual(['b never heard two-1, “first”']);
});

it('takes a gap after a kill, with what was not kept before it, and then misses nothing of the new life', () => {
  hear('a', 6, 7);
  ledger.gap('a', 'one-7', 'one-65545');
  ledger.gap('b', 'one-5', 'one-65545');
  hear('b', 6);
  hear('a', 65_542, 65_543);
  hear('b', 65_543);
  ledger.compare();
  expect(ledger.violations).toEqual(['b never heard one-65542, “line 65542”']);
});

it('takes no gap while the server lived on', () => {
  ledger.gap('a', 'one-5', 'one-9');
  expect(ledger.violations).toEqual(['a was told of a gap while the server lived on, before one-9']);
});

it('knows who has heard what was listened for', () => {
  const hearers = ledger.listenFor('ine 6');
  hear('a', 6);
  expect([...hearers]).toEqual(['a']);
});
