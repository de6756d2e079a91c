import { fillDisk } from '@steward/testing/full-disk';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, expect, it, vi } from 'vitest';
import { sqliteCodes } from '../tables/database.ts';
import { storeError } from '../tables/store-error.ts';
import { StateDirectory } from './state-directory.ts';

afterEach(() => fillDisk(false));

/** What SQLite says of all that it has no name for, such as a quota. */
const ofSqlite = storeError({ message: 'disk I/O error', code: sqliteCodes.ioError });

function stage() {
  const directory = temporaryDirectory();
  const clock = new ManualClock();
  const planned = vi.spyOn(clock, 'after');
  const lines: string[] = [];
  const say = (_facts: object, message: string) => void lines.push(message.slice(0, 40));
  const disk = new StateDirectory({ path: directory.path, clock, log: { info: say, error: say } });
  return {
    clock,
    lines,
    disk,
    /** The look that is due in five seconds; once it is done the next one is planned. */
    async look() {
      const before = planned.mock.calls.length;
      clock.advance(5_000);
      await vi.waitFor(() => expect(planned.mock.calls.length).toBeGreaterThan(before));
    },
    async [Symbol.asyncDispose]() {
      await disk.stop();
      directory[Symbol.dispose]();
    },
  };
}

it('logs a trouble once, and once more where the disk knows better than the database what it is', async () => {
  await using at = stage();
  const { disk, clock, lines } = at;
  disk.failed(ofSqlite);
  const since = disk.problem?.since;
  const told = ['STATE_DIR cannot be written (EIO): comma'];
  expect(lines).toEqual(told);
  fillDisk(true);
  // Whoever is refused again and again does not put off the look.
  for (let second = 0; second < 5; second += 1) {
    disk.failed(ofSqlite);
    clock.advance(1_000);
  }
  await vi.waitFor(() => expect(disk.problem?.reason).toContain('ENOSPC'));
  told.push('STATE_DIR cannot be written (ENOSPC): co');
  const { problem } = disk;
  for (let look = 0; look < 3; look += 1) {
    disk.failed(ofSqlite);
    await at.look();
  }
  expect(disk.problem).toBe(problem);
  expect(problem?.since).toEqual(since);
  expect(lines).toEqual(told);
  fillDisk(false);
  await at.look();
  expect(disk.problem).toBeUndefined();
  expect(lines).toEqual([...told, 'STATE_DIR can be written again']);
});

it('says what is refused once the disk takes something again, not what was before', async () => {
  await using at = stage();
  const { disk } = at;
  let says: Error | undefined = ofSqlite;
  fillDisk(true);
  disk.failed(Object.assign(new Error('full'), { code: 'ENOSPC' }), async () => {
    if (says !== undefined) throw says;
  });
  await at.look();
  expect(disk.problem?.reason).toContain('ENOSPC');
  fillDisk(false);
  await at.look();
  expect(disk.problem?.reason).toContain('EIO');
  says = undefined;
  await at.look();
  expect(disk.problem).toBeUndefined();
});

it('is not over where something is refused during the look', async () => {
  await using at = stage();
  const { disk } = at;
  disk.failed(ofSqlite, async () => disk.failed(ofSqlite, async () => {}));
  await at.look();
  expect(disk.problem).toBeDefined();
  await at.look();
  expect(disk.problem).toBeUndefined();
});
