import type { Command } from '@steward/service-kit/command-line/program';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { OperatorError } from '@steward/service-kit/process/errors';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { inBytes } from '@steward/service-kit/text/amounts';
import { ArchiveError } from '../backups/archive/archivist.ts';
import { variables } from '../configuration.ts';
import { tell } from './api-command.ts';
import { dayOf } from './backup-day.ts';

/** An existing save, for whoever brings a farm along. */
export const importCommand: Command = {
  summary: 'Turn a save from elsewhere into a backup that you can restore here',
  details:
    'It accepts a folder <farm>_<number> of the game, a folder with such folders in it, or a zip of either, and reads everything first. The backup is written to BACKUP_DIR; restoring it copies the farm into GAME_SAVES_DIR. It does not need a running service.',
  operand: { name: 'folder or zip', means: 'The save' },
  options: { save: { means: 'The name of its folder, or its path in the zip, if there are several' } },
  flags: { json: 'The backup, as one line of JSON' },
  async run(given, values) {
    const { BACKUP_DIR } = readConfiguration(variables, process.env);
    if (BACKUP_DIR === '') throw new OperatorError('BACKUP_DIR is not set: it says where backups are kept');
    const { importSave } = await import('../backups/import-save.ts');
    const { SaveError } = await import('../backups/saves.ts');
    const { BackupDirectory } = await import('../backups/backup-directory.ts');
    const { ThreadArchivist } = await import('../backups/archive/thread-archivist.ts');
    const archivist = new ThreadArchivist();
    const from = values.get('folder or zip') ?? '';
    try {
      const { backup, leftOut } = await importSave({
        from,
        save: values.get('save'),
        directory: new BackupDirectory({ path: BACKUP_DIR, archivist }),
        archivist,
        version: packageVersion(import.meta.url),
        now: new Date(),
      });
      const without = leftOut.map((path) => `Left out, because it is not a file or a folder: ${path}\n`);
      tell({
        result: given.has('json') ? JSON.stringify(backup) : backup.id,
        note: `${without.join('')}Backup ${backup.id} of ${dayOf(backup)}, ${inBytes(backup.bytes)}: restore it to play on`,
      });
    } catch (error) {
      if (error instanceof SaveError) throw new OperatorError(`${from}: ${error.message}`);
      if (error instanceof ArchiveError) throw new OperatorError(`No backup was made: ${error.message}`);
      if (error instanceof Error && 'syscall' in error)
        throw new OperatorError(`No backup was made: ${error.message}: let this command write to BACKUP_DIR`);
      throw error;
    }
  },
};
