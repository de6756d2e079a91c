import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { printCursor } from '../game/state/event-log.ts';
import { Lane } from './lane.ts';

it('ends at once where it is stopped while it still reads what it would wait to tell', async () => {
  const clock = new ManualClock();
  const now = clock.date().getTime();
  const place = { epoch: 'e', number: 1 };
  const happened = { type: 'farm.saved', data: { saveGeneration: 1 } } as const;
  const event = { ...place, cursor: printCursor(place), event: happened, at: clock.date() };
  const unasked = () => Promise.reject(new Error('nobody asks for this here'));
  const lane = new Lane(
    {
      id: 'hook',
      name: 'channel',
      template: 'standard',
      url: 'https://channel.example/',
      secret: null,
      topics: ['farm'],
      identities: false,
      createdAt: now,
    },
    {
      epoch: place.epoch,
      number: 0,
      gapTo: null,
      state: 'active',
      since: now,
      deliveredAt: null,
      failingSince: now,
      failures: 1,
      tries: 1,
      reason: null,
      notBefore: now + 3_600_000,
    },
    {
      log: {
        epoch: place.epoch,
        head: event.cursor,
        recent: () => ({ gap: false, events: [event] }),
        page: unasked,
      },
      egress: { check: () => undefined, post: unasked },
      templates: {
        check: () => undefined,
        messageFor: () => ({ headers: {}, body: '' }),
        isGone: () => false,
        pauseAfter: () => 0,
      },
      clock,
      retryClock: clock,
      random: () => 0,
      isKept: () => true,
      moved: () => {},
      settled: async () => {},
      tried: () => {},
      switchedOff: () => {},
      mistaken: (_, error) => expect.fail(String(error)),
    },
  );
  const ended = lane.run().then(() => 'ended');
  lane.stop();
  expect(await Promise.race([ended, setImmediate('it waits')])).toBe('ended');
});
