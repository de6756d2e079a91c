import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskLibrary } from '@steward/testing/disk-library';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { flushDirectory, flushDirectorySync } from './flush-directory.ts';

it.runIf(process.platform === 'linux').each<[string, Record<string, string>, string]>([
  ['that syncs no folder count as flushed', { UNSYNCED_FOLDERS: 'yes' }, 'done'],
  ['that breaks do not count as flushed', { BROKEN_WHILE: '/' }, 'EIO'],
])('names on a disk %s', async (_, trouble, how) => {
  using directory = temporaryDirectory();
  const { path } = directory;
  await using program = new Program('packages/service-kit/test/flushing.ts', [path], {
    ...diskLibrary(path),
    ...trouble,
  });
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.stdout).toEqual([
    `flushDirectory: ${how}`,
    `flushDirectorySync: ${how}`,
    `replaceFile: ${how}`,
  ]);
  expect(existsSync(join(path, 'kept.json'))).toBe(how === 'done');
});

it('a file is not flushed as a folder', async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'file');
  writeFileSync(file, '');
  await expect(flushDirectory(file)).rejects.toMatchObject({ code: 'ENOTDIR' });
  expect(() => flushDirectorySync(file)).toThrow('ENOTDIR');
});
