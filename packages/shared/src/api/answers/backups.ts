import { z } from 'zod';
import { backupReasons } from '../../backups.ts';
import { saveGeneration } from '../../bridge/hello.ts';
import { season } from '../../bridge/state.ts';
import { timestamp } from '../../wire-values.ts';
import { backupEndpoints } from '../endpoints/backups.ts';
import { type Answers, changed, underWay } from './parts.ts';

/** The farm as the save shows it; what cannot be told is absent. */
const farm = z
  .object({
    farmId: z.string(),
    farmName: z.string(),
    day: z.int().min(1).max(28),
    season,
    year: z.int().min(1),
    saveGeneration,
  })
  .partial();

const part = z.enum(['saves', 'owners', 'settings', 'bans', 'database']);

/** What anybody may know of a backup who may read. */
export const backupFacts = z
  .object({
    id: z.string().meta({ examples: ['20261122T190000Z-3f9a7c'] }),
    madeAt: timestamp,
    madeBy: z.string().meta({ description: 'The version of Steward that made it' }),
    why: z.enum(backupReasons),
    note: z.string().optional(),
    keep: z.boolean().meta({ description: 'The rule of BACKUP_KEEP never deletes it' }),
    bytes: z.int().min(0).meta({ description: 'Of the file' }),
    farm: farm.meta({ description: 'The day in the save: the evening before, if the game saves at night' }),
    parts: z.array(part),
    missing: z
      .array(z.object({ part, reason: z.string() }))
      .optional()
      .meta({ description: 'What should be in it but could not be copied' }),
    all: z
      .boolean()
      .meta({ description: 'It contains keys, webhooks and the audit: protect it like API_KEY' }),
  })
  .meta({ id: 'Backup' });

export type BackupFacts = z.infer<typeof backupFacts>;

const made = z.object({ ...changed, backup: backupFacts });

/** What a restore says besides. */
export const restoredFacts = z.object({
  backup: backupFacts,
  safetyBackupId: z
    .string()
    .optional()
    .meta({ description: 'The backup to restore to go back; absent if there was no save' }),
  isSeen: z.boolean().meta({ description: 'The game came online again with the farm of the backup' }),
  says: z.string(),
});

export const backupAnswers = {
  listBackups: {
    200: z
      .object({
        backups: z.array(backupFacts),
        unreadable: z.array(z.object({ file: z.string(), reason: z.string() })),
        bytes: z
          .int()
          .min(0)
          .meta({ description: 'The size of all files in BACKUP_DIR that look like a backup' }),
        freeBytes: z.int().min(0).meta({ description: 'The free space on the disk of BACKUP_DIR' }),
        rule: z.string().meta({ description: 'BACKUP_KEEP', examples: ['7d4w6m'] }),
      })
      .meta({ id: 'Backups' }),
  },
  createBackup: { 200: made.meta({ id: 'BackupMade' }), 202: underWay },
  deleteBackup: { 200: made.meta({ id: 'BackupDeleted' }) },
  restoreBackup: {
    200: made
      .extend(restoredFacts.pick({ safetyBackupId: true, isSeen: true }).shape)
      .meta({ id: 'BackupRestored' }),
    202: underWay,
  },
  getBackupFile: {
    200: z.string().meta({
      description: 'A tar archive in zstd, as bytes',
      format: 'binary',
      contentMediaType: backupEndpoints.getBackupFile.mediaType,
    }),
  },
} satisfies Record<keyof typeof backupEndpoints, Answers>;
