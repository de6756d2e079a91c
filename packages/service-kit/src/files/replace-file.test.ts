import { chmod, type FileHandle, readFile, stat, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { systemError } from '@steward/testing/system-error';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { type FileSteps, fileSteps, replaceFile } from './replace-file.ts';

describe('a file that is written when the process dies', () => {
  const steps = ['create', 'write', 'flush', 'rename', 'flushDirectory'] as const;

  it.each(steps)('before %s is the old or the new, whole, and can be written again', async (fatal) => {
    using directory = temporaryDirectory();
    const path = `${directory.path}/trail.json`;
    await writeFile(path, 'old');
    const opened: FileHandle[] = [];
    await new Promise<void>((died) => {
      const create: FileSteps['create'] = async (...place) => {
        const file = await fileSteps.create(...place);
        opened.push(file);
        return file;
      };
      // A process that is killed cleans nothing up: the step never ends, and nothing comes after it.
      const stops = { [fatal]: () => new Promise<never>(() => died()) };
      void replaceFile(path, 'new', { steps: { ...fileSteps, create, ...stops } });
    });
    for (const file of opened) await file.close().catch(() => {});
    expect(await readFile(path, 'utf8')).toBe(fatal === 'flushDirectory' ? 'new' : 'old');
    await replaceFile(path, 'newer');
    expect(await readFile(path, 'utf8')).toBe('newer');
  });
});

describe('a file that takes the place of another', () => {
  it('has its mode from the first, so that what the other hid is never open', async () => {
    using directory = temporaryDirectory();
    const path = `${directory.path}/trail.json`;
    await writeFile(path, 'old', { mode: 0o600 });
    const modes: number[] = [];
    const write: FileSteps['write'] = async (file, text) => {
      modes.push((await file.stat()).mode & 0o777);
      await fileSteps.write(file, text);
    };
    await replaceFile(path, 'new', { mode: 0o644, like: await stat(path), steps: { ...fileSteps, write } });
    expect(modes).toEqual([0o600]);
  });

  it('is written where the disk refuses any change of a mode, but not with another mode than it is to have', async () => {
    using directory = temporaryDirectory();
    const path = `${directory.path}/trail.json`;
    await writeFile(path, 'old', { mode: 0o600 });
    const refused = () => Promise.reject(systemError(constants.errno.EPERM, 'fchmod'));
    const create: FileSteps['create'] = async (place) =>
      Object.assign(await fileSteps.create(place, 0o600), { chmod: refused });
    const steps = { ...fileSteps, create };
    await replaceFile(path, 'new', { like: await stat(path), steps });
    expect(await readFile(path, 'utf8')).toBe('new');
    await chmod(path, 0o400);
    await expect(replaceFile(path, 'newer', { like: await stat(path), steps })).rejects.toMatchObject({
      code: 'EPERM',
    });
    expect(await readFile(path, 'utf8')).toBe('new');
  });
});
