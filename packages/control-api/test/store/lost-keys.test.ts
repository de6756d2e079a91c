import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import { SettledTime, settledMs } from '@steward/service-kit/settled-time';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LostKeys } from '../../src/store/kept/lost-keys.ts';
import { openedStore } from './opened-store.ts';
import { borrowedThread } from './threads.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const right = new Date('2026-11-21T00:00:00Z');

/** A process over a directory whose database was damaged before the first one. */
async function process(directory: string, clock: ManualClock, during: (lost: () => unknown) => unknown) {
  const { store } = openedStore(directory, { clock, startWriter: borrowedThread });
  store.start();
  await during(() => store.keysLost);
  await store.close();
}

function damaged() {
  const directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'steward.db'), 'garbage '.repeat(1_000));
  return directory;
}

const since = (text: string) => ({ since: new Date(text) });

it.each([
  ['was not set yet', '1970-01-01T00:00:00Z'],
  ['was ahead by years', '2031-05-01T00:00:00Z'],
])('keys that were lost while the clock %s are unknown for a day of the right clock', async (_, wrong) => {
  using directory = damaged();
  const clock = new ManualClock(new Date(wrong));
  await process(directory.path, clock, (lost) => {
    expect(lost()).toMatchObject(since(wrong));
    clock.setWallClock(right.getTime() - clock.date().getTime());
    expect(lost()).toMatchObject(since(wrong));
    clock.advance(settledMs);
    expect(lost()).toMatchObject(since('2026-11-21T00:00:00Z'));
  });
  clock.advance(dayMs - settledMs - 1);
  await process(directory.path, clock, (lost) => {
    expect(lost()).toMatchObject(since('2026-11-21T00:00:00Z'));
    clock.advance(settledMs);
    expect(lost()).toBeUndefined();
  });
});

it('a clock that is ahead, was just set, or was behind for longer ends nothing: a day has to pass', async () => {
  using directory = damaged();
  const clock = new ManualClock(right);
  await process(directory.path, clock, (lost) => {
    clock.advance(settledMs);
    for (const setBy of [0, 9 * dayMs, -9 * dayMs, -dayMs]) {
      clock.setWallClock(setBy);
      expect(lost()).toMatchObject(since('2026-11-21T00:00:00Z'));
    }
    clock.advance(settledMs);
    expect(lost()).toMatchObject(since('2026-11-20T00:00:00Z'));
    clock.setWallClock(dayMs);
    expect(lost()).toMatchObject(since('2026-11-20T00:00:00Z'));
    clock.advance(settledMs);
    expect(lost()).toMatchObject(since('2026-11-21T00:00:00Z'));
    clock.advance(dayMs - 3 * settledMs);
    expect(lost()).toBeUndefined();
  });
});

it('a process that ended before it knew whether its clock was right leaves that to the next: nothing was lost after that one began', async () => {
  using directory = damaged();
  await process(directory.path, new ManualClock(new Date(0)), (lost) => expect(lost()).toBeDefined());
  const clock = new ManualClock(right);
  await process(directory.path, clock, (lost) => {
    expect(lost()).toMatchObject(since('1970-01-01T00:00:00Z'));
    clock.advance(settledMs);
    expect(lost()).toMatchObject(since('2026-11-21T00:00:00Z'));
  });
});

it('a loss that a clock noted which was ahead and believed is no reason to refuse keys until then', async () => {
  using directory = damaged();
  const clock = new ManualClock(new Date('2031-05-01T00:00:00Z'));
  await process(directory.path, clock, (lost) => {
    clock.advance(settledMs);
    expect(lost()).toMatchObject(since('2031-05-01T00:00:00Z'));
  });
  clock.setWallClock(right.getTime() - clock.date().getTime());
  await process(directory.path, clock, (lost) => {
    expect(lost()).toMatchObject(since('2031-05-01T00:00:00Z'));
    clock.advance(settledMs);
    expect(lost()).toMatchObject(since('2026-11-21T00:00:00Z'));
    clock.advance(dayMs);
    expect(lost()).toBeUndefined();
  });
});

it.each([
  ['an hour ago are unknown for the rest of the day', 60 * 60 * 1_000],
  ['long ago are so no more', 30 * dayMs],
])('keys that were lost %s, though the clock was not set for a while after the start', async (_, ago) => {
  using directory = damaged();
  const clock = new ManualClock(right);
  await process(directory.path, clock, (lost) => {
    clock.advance(settledMs);
    expect(lost()).toBeDefined();
  });
  clock.advance(ago - settledMs);
  const wrongBy = clock.date().getTime();
  clock.setWallClock(-wrongBy);
  await process(directory.path, clock, (lost) => {
    clock.advance(settledMs);
    expect(lost()).toMatchObject(since('1970-01-01T00:00:00Z'));
    clock.setWallClock(wrongBy);
    expect(lost()).toBeDefined();
    clock.advance(settledMs);
    const left = Math.max(0, dayMs - ago - 2 * settledMs);
    expect(lost() === undefined).toBe(left === 0);
    clock.advance(left);
    expect(lost()).toBeUndefined();
  });
  await process(directory.path, clock, (lost) => expect(lost()).toBeUndefined());
});

it('with a clock that was right all the time it is one problem, and the same', async () => {
  using directory = damaged();
  const clock = new ManualClock(right);
  await process(directory.path, clock, (lost) => {
    const first = lost();
    expect(first).toMatchObject(since('2026-11-21T00:00:00Z'));
    clock.advance(settledMs);
    expect(lost()).toBe(first);
  });
  clock.advance(dayMs);
  await process(directory.path, clock, (lost) => expect(lost()).toBeUndefined());
});

/** Keys whose loss was noted before, and what is written down about them. */
function noted(at: string, clock: Pick<Clock, 'now' | 'date'>, isSure = false) {
  const written: unknown[] = [];
  const writer = { write: async (change: unknown) => written.push(change) };
  return {
    lost: new LostKeys({ at, isSure }, { clock, settled: new SettledTime(clock), writer }),
    written,
  };
}

it.each([
  ['a wrong time', '1970-01-01T00:00:00.000Z', { name: 'keys-lost', value: '2026-11-21T00:00:00.000Z' }],
  ['a right time', '2026-11-21T00:00:00.000Z', { name: 'keys-lost-unsure', value: '' }],
])('%s becomes sure by one write, so that a kill cannot come between two', (_, at, change) => {
  const clock = new ManualClock(right);
  const { lost, written } = noted(at, clock);
  for (let look = 0; look < 3; look += 1) {
    clock.advance(settledMs);
    expect(lost.problem).toMatchObject(since('2026-11-21T00:00:00Z'));
  }
  expect(written).toEqual([{ kind: 'fact', ...change }]);
});

it('a time that was set wrong and then right again, to the millisecond, is not left wrong on the disk', () => {
  const clock = new ManualClock(right);
  const { lost, written } = noted('2026-11-21T00:00:00.000Z', clock);
  for (const setBy of [-9 * dayMs, 9 * dayMs]) {
    clock.setWallClock(setBy);
    expect(lost.problem).toBeDefined();
    clock.advance(settledMs);
    expect(lost.problem).toBeDefined();
  }
  const values = ['2026-11-12T00:00:00.000Z', '2026-11-21T00:00:00.000Z'];
  expect(written).toEqual(values.map((value) => ({ kind: 'fact', name: 'keys-lost', value })));
});

it('a clock that is set at any moment ends nothing, and no look at it fails', () => {
  const clock = new ManualClock(right);
  let looks = 0;
  const { lost } = noted('2026-11-21T00:00:00.000Z', {
    now: () => clock.now(),
    date: () => new Date(clock.date().getTime() + (looks++ > 20 && looks % 2 === 0 ? dayMs : 0)),
  });
  for (let look = 0; look < 100; look += 1) {
    expect(lost.problem).toBeDefined();
    clock.advance(settledMs / 10);
  }
});

const years = 40 * 365 * dayMs;
/** Time that passes, and by how much somebody sets the clock before. */
const clockStories = fc.array(
  fc.tuple(
    fc.oneof(fc.constant(0), fc.integer({ min: -years, max: years })),
    fc.oneof(fc.constant(settledMs), fc.nat(dayMs / 8)),
  ),
  { maxLength: 40 },
);
/** Times of a loss that lie no further apart count as one. */
const sameMs = 60_000;

it('however a clock is set, a loss that nobody is sure of ends after a day that has passed, and not before', () => {
  fc.assert(
    fc.property(clockStories, (story) => {
      const clock = new ManualClock(right);
      const { lost } = noted('2031-05-01T00:00:00.000Z', clock);
      const begun = clock.now();
      for (const [setBy, passed] of story) {
        clock.setWallClock(setBy);
        const isOver = lost.problem === undefined;
        clock.advance(passed);
        if (isOver || lost.problem === undefined)
          expect(clock.now() - begun).toBeGreaterThanOrEqual(dayMs - sameMs);
      }
      clock.advance(dayMs);
      expect(lost.problem).toBeUndefined();
    }),
  );
});

it('however a clock was set, a loss that is known counts by its own time as soon as the clock is right again', () => {
  fc.assert(
    fc.property(clockStories, fc.nat(3 * dayMs), (story, ago) => {
      const clock = new ManualClock(right);
      const at = right.getTime() - ago;
      const { lost } = noted(new Date(at).toISOString(), clock, true);
      const begun = clock.now();
      for (const [setBy, passed] of story) {
        clock.setWallClock(setBy);
        expect([undefined, 'state-unreadable']).toContain(lost.problem?.code);
        clock.advance(passed);
      }
      const rightNow = () => right.getTime() + clock.now() - begun;
      clock.setWallClock(rightNow() - clock.date().getTime());
      expect([undefined, 'state-unreadable']).toContain(lost.problem?.code);
      clock.advance(settledMs);
      expect(lost.problem === undefined).toBe(rightNow() >= at + dayMs);
    }),
  );
});
