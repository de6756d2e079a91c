import { type Event, type EventsOptions, StewardError } from '@steward/client';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { Access } from './access.ts';
import { Happenings } from './happenings.ts';

const wrong = new StewardError('unauthorized', 'The API key is wrong');
const away = new StewardError('network', 'The server cannot be reached');

/** A farm as the client tells of it, from answer to answer. */
class ToldFarm {
  key: StewardError | undefined;
  events: (options: EventsOptions) => AsyncGenerator<Event, void, undefined> = async function* () {};
  readonly asked: string[] = [];

  readonly getCaller = async () => {
    this.asked.push('caller');
    if (this.key !== undefined) throw this.key;
    return { name: 'owner', scopes: ['admin' as const] };
  };

  readonly getEvents = async () => {
    this.asked.push('events');
    if (this.key !== undefined) throw this.key;
    return { events: [], gap: false, cursor: 'a-1' };
  };
}

function follow(farm: ToldFarm) {
  const clock = new ManualClock();
  const log: string[] = [];
  const say = (text: string) => void log.push(text);
  const access = new Access({ farm, now: () => clock.now(), log: say });
  const happenings = new Happenings({
    farm: { getEvents: farm.getEvents, events: (options = {}) => farm.events(options) },
    access,
    clock,
    random: () => 0,
    log: say,
    onUpdated: () => {},
  });
  const running = happenings.run();
  return {
    log,
    access,
    happenings,
    /** What follows at once has followed. */
    async pass(ms: number): Promise<void> {
      clock.advance(ms);
      await new Promise(setImmediate);
    },
    async [Symbol.asyncDispose]() {
      happenings.stop();
      await running;
    },
  };
}

it.each([
  { key: 'was never right', before: wrong },
  { key: 'has become wrong', before: undefined },
])('a key that $key is tried four times a minute by all that use it, and is said once', async (row) => {
  const farm = new ToldFarm();
  farm.key = row.before;
  await using followed = follow(farm);
  await followed.pass(0);
  farm.key = wrong;
  farm.asked.length = 0;
  for (let second = 0; second < 60; second += 1) {
    await followed.pass(1_000);
    followed.access.doubt();
    await followed.access.refresh();
  }
  expect(farm.asked.length).toBeLessThanOrEqual(5);
  expect(followed.access.trouble).toBe(wrong);
  expect(followed.happenings.told.notHeard).toBe(wrong.detail);
  expect(followed.log.filter((line) => line.startsWith('events'))).toEqual([
    'events do not arrive: The API key is wrong (unauthorized)',
  ]);
});

it('a key that is right again is known to be within a quarter of a minute', async () => {
  const farm = new ToldFarm();
  farm.key = wrong;
  await using followed = follow(farm);
  await followed.pass(0);
  farm.key = undefined;
  await followed.pass(15_000);
  await followed.access.refresh();
  expect(followed.access.trouble).toBeUndefined();
});

it('a farm that stays away is said once, and again when it has been there', async () => {
  const farm = new ToldFarm();
  farm.events = async function* ({ onDrop, onOpen }) {
    for (let times = 0; times < 3; times += 1) onDrop?.(away);
    onOpen?.();
    for (let times = 0; times < 3; times += 1) onDrop?.(away);
    yield* [];
    await new Promise(setImmediate);
  };
  await using followed = follow(farm);
  await followed.pass(0);
  const said = 'events from the farm do not arrive: The server cannot be reached';
  expect(followed.log.filter((line) => line.startsWith('events'))).toEqual([said, said]);
});
