import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { NewerFiles } from '../store/directory/newer-files.ts';
import { DrainFile } from './drain-file.ts';

it('says once that its record cannot be deleted, however often that is tried, and again when it has been deleted since', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'drain.json');
  const clock = new ManualClock();
  const said: string[] = [];
  const log = { warn: (_: object, message: string) => void said.push(message), error: () => {} };
  const file = new DrainFile(path, { newerFiles: new NewerFiles(log), clock, log });
  // What no rm of a file takes away.
  mkdirSync(path);
  for (let tries = 0; tries < 5; tries += 1) await file.remove();
  expect(said).toEqual(['the record of a drain cannot be deleted: that is tried again']);
  rmdirSync(path);
  await file.remove();
  mkdirSync(path);
  await file.remove();
  expect(said).toHaveLength(2);
  file.close();
});
