import { type BackupPart, backupFileEnds, backupIdPattern, backupParts, usualParts } from '../../backups.ts';
import { boolean, form, type Kind } from '../../kinds.ts';
import { accepted, allAccepted, type Parsed, refused } from '../../parsed.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';
import { keyLimits, keyName } from '../key-parameters.ts';

const id = form({
  allowed: 'the id of a backup, as GET /backups lists it',
  pattern: backupIdPattern,
  longest: 23,
});

const example = '20261122T190000Z-3f9a7c';

const backupNote: Kind<string> = {
  ...keyName,
  allowed: `1 to ${keyLimits.nameCharacters} printable characters`,
};

const backupContents: Kind<readonly BackupPart[]> = {
  allowed: `one or more of ${backupParts.join(', ')}, separated by commas`,
  json: { type: 'string', minLength: 1 },
  parse(text) {
    const parsed = allAccepted(text.split(',').map((item) => partNamed(item.trim())));
    if (!parsed.ok) return parsed;
    return accepted(backupParts.filter((part) => parsed.value.includes(part)));
  },
};

function partNamed(text: string): Parsed<BackupPart> {
  const part = backupParts.find((one) => one === text);
  return part === undefined
    ? refused(`names ${JSON.stringify(text)}, which is not a part of a backup`)
    : accepted(part);
}

/** What can become of work that may take a while, and is an operation. */
const workProblems = [
  'backups-off',
  'backup-under-way',
  'no-save',
  'no-room',
  'backup-failed',
  'idempotency-key-reused',
  'state-unwritable',
  'game-unavailable',
  'outcome-unknown',
] as const;

export const backupEndpoints = {
  listBackups: {
    on: 'GET /backups',
    group: 'Backups',
    scope: 'read',
    summary: 'The backups in BACKUP_DIR, and the free space',
    description:
      'The newest first. Files that look like a backup but cannot be read are listed separately, with the reason.',
    problems: ['backups-off'],
  },
  createBackup: {
    on: 'POST /backups',
    group: 'Backups',
    scope: 'operate',
    summary: 'Make a backup of the last save',
    description:
      'The game runs on meanwhile. The backup is read back before it counts. If it takes longer than 25 seconds, the answer is 202, and GET /operations/{id} shows how it ends.',
    query: {
      fresh: optional(boolean, {
        means: 'Wait for the next save, and copy that; by default the last save is copied',
      }),
      note: optional(backupNote, { means: 'Its name in lists', example: 'before the new mods' }),
      keep: optional(boolean, { means: 'The rule of BACKUP_KEEP never deletes it' }),
      all: optional(boolean, {
        means: 'Include keys, webhooks and the audit, to move to another machine; protect it like API_KEY',
        scope: 'admin',
      }),
    },
    problems: [...workProblems, 'not-supported-by-game'],
    audit: 'backup made',
    notedFirst: true,
  },
  deleteBackup: {
    on: 'DELETE /backups',
    group: 'Backups',
    scope: 'admin',
    summary: 'Delete a backup',
    query: { id: required(id, { means: 'Which one', example }) },
    problems: [
      'backups-off',
      'backup-not-found',
      'backup-under-way',
      'backup-failed',
      'idempotency-key-reused',
      'state-unwritable',
      'game-unavailable',
    ],
    // Not noted first: it makes room on a full disk.
    audit: 'backup deleted',
  },
  restoreBackup: {
    on: 'POST /backups/restore',
    group: 'Backups',
    scope: 'admin',
    summary: 'Restore a backup',
    description:
      'The current farm is backed up first. The game is stopped and started again if this service starts it; if not, stop it first. Players lose what they did since the backup. If it takes longer than 25 seconds, the answer is 202: GET /operations/{id} shows each step.',
    query: {
      id: required(id, { means: 'Which one', example }),
      what: optional(backupContents, {
        means: `What to restore; ${usualParts.join(' and ')} by default`,
        example: 'saves,owners',
      }),
    },
    problems: [...workProblems, 'backup-not-found', 'backup-unfit', 'game-running'],
    audit: 'backup restored',
    notedFirst: true,
  },
  getBackupFile: {
    on: 'GET /backups/{id}/file',
    group: 'Backups',
    scope: 'admin',
    summary: `The backup itself: a tar archive in zstd, <id>${backupFileEnds}`,
    mediaType: 'application/zstd',
    path: { id: required(id, { means: 'Which one', example }) },
    problems: ['backups-off', 'backup-not-found'],
  },
} as const satisfies Endpoints;
