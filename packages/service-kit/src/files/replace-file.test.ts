import { type FileHandle, readFile, writeFile } from 'node:fs/promises';
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
