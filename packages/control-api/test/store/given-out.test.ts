import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { diskLibrary } from '@steward/testing/disk-library';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { openedStore } from './opened-store.ts';

const cursorFile = 'steward.cursor';

/** Whether the next process takes the database for the one that was here last; it is stopped in order. */
async function knowsIt(directory: string): Promise<boolean> {
  const { store, lines } = openedStore(directory);
  const operations = store.operations();
  await operations.load();
  await store.close();
  return operations.unreadable === undefined && lines.length === 0;
}

describe('how far cursors were given out', () => {
  it.runIf(process.platform === 'linux')(
    'is still known where the disk was full as that was to be written down',
    async () => {
      using directory = temporaryDirectory();
      using state = temporaryDirectory();
      const full = join(directory.path, 'full');
      expect(await knowsIt(state.path)).toBe(true);
      const noted = readFileSync(join(state.path, cursorFile), 'utf8');
      await using program = new Program('packages/control-api/test/store/noting.ts', [state.path], {
        ...diskLibrary(directory.path),
        FULL_WHILE: full,
      });
      await program.exited;
      expect(existsSync(full)).toBe(true);
      rmSync(full);
      expect(readFileSync(join(state.path, cursorFile), 'utf8')).toBe(noted);
      expect(await knowsIt(state.path)).toBe(true);
    },
  );

  it.runIf(process.platform === 'linux')(
    'is said to be unknown to the next start where it cannot be written down',
    async () => {
      using library = temporaryDirectory();
      using state = temporaryDirectory();
      const path = join(state.path, cursorFile);
      await knowsIt(state.path);
      await using program = new Program('packages/control-api/test/store/opening.ts', [state.path], {
        ...diskLibrary(library.path),
        NOT_OURS: path,
      });
      await program.exited;
      const message = `${path} cannot be written: the next start may take the database for another one`;
      expect(program.stdout).toEqual([JSON.stringify([{ level: 'warn', message }])]);
    },
  );

  it('is in a file of one size, which a power cut leaves as it was or as it is to be', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, cursorFile);
    await knowsIt(directory.path);
    const { length } = readFileSync(path);
    writeFileSync(path, readFileSync(path, 'utf8').trim());
    await knowsIt(directory.path);
    expect(readFileSync(path)).toHaveLength(length);
  });

  it('is not taken for lost where the disk does not say: the database is opened once it does', async () => {
    using directory = temporaryDirectory();
    const [path, away] = [join(directory.path, cursorFile), join(directory.path, 'away')];
    await knowsIt(directory.path);
    renameSync(path, away);
    mkdirSync(path);
    const { store } = openedStore(directory.path);
    expect(store.problem?.reason).toMatch(/it is not a file/);
    await store.close();
    rmdirSync(path);
    renameSync(away, path);
    expect(await knowsIt(directory.path)).toBe(true);
  });

  it('need not be known where the first process was killed before it had given any out', async () => {
    using directory = temporaryDirectory();
    using killed = temporaryDirectory();
    const { store } = openedStore(directory.path);
    for (const name of ['steward.db', 'steward.db-wal'])
      copyFileSync(join(directory.path, name), join(killed.path, name));
    await store.close();
    expect(await knowsIt(killed.path)).toBe(true);
  });
});
