import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settledMs } from '@steward/service-kit/settled-time';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { openedStore } from './opened-store.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const right = new Date('2026-11-21T00:00:00Z');

/** A process over a directory whose database was damaged before the first one. */
async function process(directory: string, clock: ManualClock, during: (lost: () => unknown) => unknown) {
  const { store } = openedStore(directory, { clock });
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

it('a clock that is ahead for a moment, or was just set, ends nothing', async () => {
  using directory = damaged();
  const clock = new ManualClock(right);
  await process(directory.path, clock, (lost) => {
    clock.advance(settledMs);
    for (const setBy of [0, 9 * dayMs, -9 * dayMs, dayMs]) {
      clock.setWallClock(setBy);
      expect(lost()).toMatchObject(since('2026-11-21T00:00:00Z'));
    }
    clock.advance(settledMs);
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
