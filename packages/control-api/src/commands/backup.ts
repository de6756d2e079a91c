import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '@steward/service-kit/command-line/program';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { OperatorError, UsageError } from '@steward/service-kit/process/errors';
import { counted, inBytes } from '@steward/service-kit/text/amounts';
import { table } from '@steward/service-kit/text/layout';
import type { AnswerOf } from '@steward/shared/api/answers';
import { type BackupFacts, backupFacts } from '@steward/shared/api/answers/backups';
import { backupEndpoints } from '@steward/shared/api/endpoints/backups';
import { backupFileEnds, backupIdPattern } from '@steward/shared/backups';
import { z } from 'zod';
import { ArchiveError } from '../backups/archive/archivist.ts';
import { variables } from '../configuration.ts';
import { apiCommand, optionsOf, tell, whom } from './api-command.ts';
import type { Ask } from './ask-service.ts';
import { dayOf } from './backup-day.ts';
import { endedOperation } from './ended-operation.ts';
import { restoreCommand } from './restore.ts';

const { createBackup, deleteBackup, listBackups } = backupEndpoints;
const making = optionsOf(createBackup);

/** Backups, for whoever has a terminal where the service runs, or what it keeps. */
export const backupCommands: Readonly<Record<string, Command>> = {
  'backup create': {
    summary: createBackup.summary,
    details: `It waits until the backup is made. ${whom}`,
    options: making.options,
    flags: { ...making.flags, json: 'The backup, as one line of JSON' },
    async run(given, values) {
      const { withService } = await import('./ask-service.ts');
      const backup = await withService('backup create', async (ask) => {
        const answer = (await ask(createBackup, making.queryOf(given, values))) as AnswerOf<'createBackup'>;
        // Without one it goes on.
        return 'backup' in answer ? answer.backup : await made(ask, (answer as Begun).operationId);
      });
      if (given.has('json')) tell({ result: JSON.stringify(backup) });
      else tell({ result: backup.id, note: says(backup) });
    },
  },
  'backup list': apiCommand<'listBackups'>('backup list', listBackups, (answer) => ({
    result: listOf(answer),
    note: noteOn(answer),
  })),
  'backup delete': apiCommand<'deleteBackup'>('backup delete', deleteBackup, ({ message, backup }) => ({
    result: `${message}: ${backup.id}`,
  })),
  'backup restore': restoreCommand,
  'backup verify': {
    summary: 'Read a backup and compare it with its checksums',
    details: 'It does not need a running service.',
    options: {
      id: { means: 'The id of a backup in BACKUP_DIR' },
      file: { means: 'Its path, for example of a downloaded backup' },
    },
    flags: { json: 'Its description, as one line of JSON' },
    run: (given, values) => verify(values.get('id'), values.get('file'), given.has('json')),
  },
};

type Begun = { readonly operationId: string };

const madeFacts = z.object({ backup: backupFacts });

async function made(ask: Ask, id: string): Promise<BackupFacts> {
  return madeFacts.parse(await endedOperation(ask, id, 'No backup was made')).backup;
}

async function verify(id: string | undefined, file: string | undefined, asJson: boolean): Promise<void> {
  if ((id === undefined) === (file === undefined))
    throw new UsageError('backup verify needs either --id or --file');
  const path = file ?? pathOf(`${id}`);
  const { ThreadArchivist } = await import('../backups/archive/thread-archivist.ts');
  try {
    const manifest = await new ThreadArchivist().verify(path);
    const { size: bytes } = await stat(path);
    const backup = backupFacts.parse({ ...manifest, bytes });
    const files = manifest.entries.filter(({ kind }) => kind === 'file').length;
    tell({
      result: asJson ? JSON.stringify(backup) : `${says(backup)}: ${counted(files, 'file')}, all unchanged`,
    });
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new OperatorError(`${path} is not a good backup: ${error.message}`);
  }
}

function pathOf(id: string): string {
  const { BACKUP_DIR } = readConfiguration(variables, process.env);
  if (BACKUP_DIR === '') throw new OperatorError('BACKUP_DIR is not set: give --file, or set it');
  if (!backupIdPattern.test(id))
    throw new UsageError(`${id} is not the id of a backup: backup list shows them`);
  return join(BACKUP_DIR, `${id}${backupFileEnds}`);
}

function says(backup: BackupFacts): string {
  return `Backup ${backup.id} of ${dayOf(backup)}, ${inBytes(backup.bytes)}`;
}

function listOf({ backups }: AnswerOf<'listBackups'>): string {
  if (backups.length === 0) return 'There are no backups';
  return table([
    ['ID', 'MADE', 'WHY', 'KEPT', 'FARM', 'SIZE', 'NOTE'],
    ...backups.map((backup) => [
      backup.id,
      backup.madeAt,
      backup.why,
      backup.keep ? 'yes' : '',
      dayOf(backup),
      inBytes(backup.bytes),
      backup.note === undefined ? '' : JSON.stringify(backup.note),
    ]),
  ]);
}

function noteOn({ unreadable, bytes, freeBytes }: AnswerOf<'listBackups'>): string {
  const bad = unreadable.map(({ file, reason }) => `${file} cannot be read as a backup: ${reason}`);
  // A disk somewhere else may call itself larger than numbers are exact, and what is read exactly is a bigint then.
  const free = inBytes(Number(freeBytes));
  return [...bad, `They use ${inBytes(bytes)}; ${free} are free`].join('\n');
}
