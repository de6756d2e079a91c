import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { takeStateLock } from './state-lock.ts';

const now = () => new Date('2026-11-21T06:30:00.000Z');

function take(directory: string, warnings: string[] = []) {
  const log = { warn: (_facts: object, message: string) => warnings.push(message) };
  return takeStateLock({ directory, command: 'serve', now, log });
}

it('lets one process work on a STATE_DIR at a time, and tells the second which one does', async () => {
  using directory = temporaryDirectory();
  {
    await using _held = await take(directory.path);
    await expect(take(directory.path)).rejects.toThrow(
      new RegExp(
        `^STATE_DIR: ${directory.path} is in use by \`control-api serve\` on \\S+ \\(process ${process.pid}\\), since 2026-11-21T06:30:00.000Z: stop that one, or give this one`,
      ),
    );
    rmSync(join(directory.path, 'steward.holder.json'));
    await expect(take(directory.path)).rejects.toThrow(/is in use by another process: stop that one/);
  }
  await using _again = await take(directory.path);
});

it('goes on without a lock where none is to be had, and says so', async () => {
  using directory = temporaryDirectory();
  const warnings: string[] = [];
  await using _none = await take(join(directory.path, 'none'), warnings);
  expect(warnings).toEqual([expect.stringMatching(/^STATE_DIR cannot be locked/)]);
});
