import {
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
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { diskLibrary } from '@steward/testing/disk-library';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { copyOf, prepareDatabase } from '../../src/store/prepare-database.ts';
import { databaseName } from '../../src/store/store.ts';
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

  it('is not touched by a copy that does not fit, which says how much room it needs and how much there is', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, databaseName);
    using database = new DatabaseSync(path);
    database.exec(`pragma page_size=${pageBytes}; create table a (x); pragma user_version=1`);
    database.close();
    const { bavail, bsize } = statfsSync(directory.path);
    growTo(path, Math.ceil((bavail * bsize + spareBytes) / pageBytes));
    const { store } = openedStore(directory.path, { migrations: ['', 'create table b (x)'] });
    expect(store.problem?.reason).toMatch(
      /\(the upgrade first copies the database, which needs \S+ [MGT]B, and \S+ \wB are free\): nothing/,
    );
    expect(readdirSync(directory.path)).toEqual([databaseName]);
    await store.close();
  });
});

/** A database of so many pages, all of them in use; what it has not written takes no room on the disk. */
function growTo(path: string, pages: number): void {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(pages);
  const file = openSync(path, 'r+');
  writeSync(file, count, 0, count.length, pagesAt);
  ftruncateSync(file, pages * pageBytes);
  closeSync(file);
}
