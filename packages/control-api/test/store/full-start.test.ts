import fs, {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { diskLibrary } from '@steward/testing/disk-library';
import { ManualClock } from '@steward/testing/manual-clock';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { copyOf, prepareDatabase } from '../../src/store/prepare-database.ts';
import { databaseName, openAgainMs } from '../../src/store/store.ts';
import { openedStore } from './opened-store.ts';

const pageBytes = 4_096;
/** Where the file's header has how many pages there are, big-endian. */
const pagesAt = 28;
/** What others give back meanwhile is not enough for the copy. */
const spareBytes = 1_000_000_000;

describe('a disk that is full at the start', () => {
  it.runIf(process.platform === 'linux')('lets the process be the only one all the same', async () => {
    using directory = temporaryDirectory();
    const full = join(directory.path, 'full');
    writeFileSync(full, '');
    const files = ['lock', 'holder'].map((name) => join(directory.path, name));
    const env = { ...diskLibrary(directory.path), FULL_WHILE: full };
    const take = () => new Program('packages/service-kit/test/held-lock.ts', files, env);
    await using first = take();
    const word = async (program: Program) => (await program.line(/taken|held/))[0];
    expect(await word(first)).toBe('taken');
    await using second = take();
    expect(await word(second)).toBe('held');
  });

  it('is not filled further by a copy that could not be finished', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    using database = new DatabaseSync(path);
    database.exec('create table a (x); pragma user_version=1');
    database.close();
    // Whatever keeps the copy from its place.
    mkdirSync(join(copyOf(path, 1), 'taken'), { recursive: true });
    const parts = {
      path,
      journal: 'wal',
      now: () => new Date(),
      migrations: ['', 'create table b (x)'],
    } as const;
    expect(() => prepareDatabase(parts)).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(existsSync(`${copyOf(path, 1)}.new`)).toBe(false);
  });

  it('is not touched by a copy that does not fit, which says how much room it needs', async () => {
    using directory = temporaryDirectory();
    withLargeDatabase(directory.path);
    const { store } = openedStore(directory.path, { migrations });
    expect(store.problem?.reason).toMatch(
      /\(the upgrade first copies the database, which needs \S+ [MGT]B of free space\): nothing/,
    );
    expect(readdirSync(directory.path)).toEqual([databaseName]);
    await store.close();
  });

  it('is told in one line while no copy fits, however much of it others use meanwhile', async () => {
    using directory = temporaryDirectory();
    withLargeDatabase(directory.path);
    using disk = shrinkingDisk();
    const clock = new ManualClock();
    const { store, lines } = openedStore(directory.path, { clock, migrations });
    const before = disk.asked;
    store.start();
    for (let tries = 0; tries < 2; tries += 1) {
      clock.advance(openAgainMs);
      for (let turns = 0; turns < 4; turns += 1) await turn();
    }
    expect(disk.asked - before).toBe(2);
    expect(lines).toMatchObject([{ level: 'error', message: store.problem?.reason }]);
    await store.close();
  });
});

const migrations = ['', 'create table b (x)'];

/** A database of the first version that is larger than what is free on its disk. */
function withLargeDatabase(directory: string): void {
  const path = join(directory, databaseName);
  using database = new DatabaseSync(path);
  database.exec(`pragma page_size=${pageBytes}; create table a (x); pragma user_version=1`);
  database.close();
  const { bavail, bsize } = statfsSync(directory);
  growTo(path, Math.ceil((bavail * bsize + spareBytes) / pageBytes));
}

/** Each time that somebody asks, less of every disk is free. */
function shrinkingDisk() {
  const { statfsSync: real } = fs;
  let asked = 0;
  fs.statfsSync = ((path: string) => {
    asked += 1;
    const found = real(path);
    return { ...found, bavail: Math.floor(found.bavail / 2 ** asked) };
  }) as typeof real;
  syncBuiltinESMExports();
  return {
    get asked() {
      return asked;
    },
    [Symbol.dispose]() {
      fs.statfsSync = real;
      syncBuiltinESMExports();
    },
  };
}

/** A database of so many pages, all of them in use; what it has not written takes no room on the disk. */
function growTo(path: string, pages: number): void {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(pages);
  const file = openSync(path, 'r+');
  writeSync(file, count, 0, count.length, pagesAt);
  ftruncateSync(file, pages * pageBytes);
  closeSync(file);
}
