import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { makeDirectory } from './make-directory.ts';

describe('a directory', () => {
  it('is made with those above it, in the mode that is asked for, and may be there', async () => {
    using directory = temporaryDirectory();
    const path = `${directory.path}/a/b/c`;
    await makeDirectory(path, 0o700);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    await makeDirectory(path);
    await makeDirectory(`${path}/`);
  });

  it('may be made by many at once', async () => {
    using directory = temporaryDirectory();
    const path = `${directory.path}/a/b/c`;
    await Promise.all(Array.from({ length: 40 }, () => makeDirectory(path)));
    expect(existsSync(path)).toBe(true);
  });

  it('is not made over a file, below one, or through a link to nowhere', async () => {
    using directory = temporaryDirectory();
    writeFileSync(`${directory.path}/file`, '');
    symlinkSync(`${directory.path}/nowhere`, `${directory.path}/link`);
    await expect(makeDirectory(`${directory.path}/file`)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeDirectory(`${directory.path}/file/a`)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeDirectory(`${directory.path}/link`)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it.runIf(existsSync('/proc/self'))('is given up where the system takes none', async () => {
    await expect(makeDirectory('/proc/nobody/knows')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
