import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupFileEnds } from '@steward/shared/backups';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { ArchiveError } from '../../src/backups/archive/archivist.ts';
import { BackupDirectory } from '../../src/backups/backup-directory.ts';
import { about, manifestOf } from './stage/archives.ts';

it('reads a backup again that the disk would not give, and one that is none only once', async () => {
  using directory = temporaryDirectory();
  const { path } = directory;
  writeFileSync(join(path, `${about.id}${backupFileEnds}`), 'a backup');
  let says: ArchiveError | undefined = new ArchiveError('unreadable', 'it cannot be read (EMFILE)');
  let reads = 0;
  const archivist = {
    async manifestOf() {
      reads += 1;
      if (says !== undefined) throw says;
      return manifestOf([]);
    },
  };
  const backups = new BackupDirectory({ path, archivist });
  expect((await backups.list()).unreadable).toHaveLength(1);
  says = undefined;
  const found = await backups.list();
  expect(found.unreadable).toEqual([]);
  expect(found.backups).toMatchObject([{ facts: { id: about.id } }]);
  await backups.list();
  expect(reads).toBe(2);
  says = new ArchiveError('damaged', 'it is no archive');
  writeFileSync(join(path, `other${backupFileEnds}`), 'garbage');
  await backups.list();
  await backups.list();
  expect(reads).toBe(3);
});
