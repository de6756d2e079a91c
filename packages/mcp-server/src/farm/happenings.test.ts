import { type Event, type EventsOptions, StewardError } from '@steward/client';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { Access } from './access.ts';
import { Happenings } from './happenings.ts';

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
