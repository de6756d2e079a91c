import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { probeFolder } from './folder-probe.ts';

describe('a folder', () => {
  it('that can be published to is probed without a trace', async () => {
    using directory = temporaryDirectory();
    const [work, folder] = ['work', 'folder'].map((name) => join(directory.path, name));
    if (work === undefined || folder === undefined) throw new Error('there are two');
    mkdirSync(work);
    mkdirSync(folder);
    const { mtimeMs } = statSync(folder);
    expect(await probeFolder(folder, work)).toBeUndefined();
    expect([readdirSync(work), readdirSync(folder), statSync(folder).mtimeMs]).toEqual([[], [], mtimeMs]);
  });

  it.runIf(process.platform === 'linux')('on another file system is none', async () => {
    using directory = temporaryDirectory();
    expect(await probeFolder('/sys', directory.path)).toMatch(/^(EXDEV|EACCES|EROFS)$/);
  });

  it.runIf(process.getuid?.() !== 0)('that may not be written to is none', async () => {
    using directory = temporaryDirectory();
    const folder = join(directory.path, 'folder');
    mkdirSync(folder, { mode: 0o555 });
    expect(await probeFolder(folder, directory.path)).toBe('EACCES');
  });
});
