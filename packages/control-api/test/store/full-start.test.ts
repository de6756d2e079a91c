import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { diskLibrary } from '@steward/testing/disk-library';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { copyOf, prepareDatabase } from '../../src/store/prepare-database.ts';

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
});
