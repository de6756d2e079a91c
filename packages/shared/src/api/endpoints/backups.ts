import { type BackupPart, backupFileEnds, backupIdPattern, backupParts } from '../../backups.ts';
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
  allowed: `one or more of ${backupParts.join(', ')}, between commas`,
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
    ? refused(`names ${JSON.stringify(text)}, which is no part of a backup`)
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
] as const;

export const backupEndpoints = {
  listBackups: {
    on: 'GET /backups',
    group: 'Backups',
    scope: 'read',
    summary: 'The backups that lie in BACKUP_DIR, and what there is room for',
    description:
      'The newest first. What looks like a backup and cannot be read as one is listed apart, with the reason.',
    problems: ['backups-off'],
  },
  createBackup: {
    on: 'POST /backups',
    group: 'Backups',
    scope: 'operate',
    summary: 'Make a backup of the last save',
    description:
      'The game goes on meanwhile. It is read back before it counts. Where it takes longer than 25 seconds the answer is 202, and GET /operations/{id} tells how it ends.',
    query: {
      fresh: optional(boolean, {
        means: 'Wait for the next save, and copy that; the last one where nothing is said',
      }),
      note: optional(backupNote, { means: 'What it is called in lists', example: 'before the new mods' }),
      keep: optional(boolean, { means: 'The rule of BACKUP_KEEP never takes it away' }),
      all: optional(boolean, {
        means: 'With keys, webhooks and the audit: for another machine, to be kept as API_KEY is',
        scope: 'admin',
      }),
    },
    problems: [...workProblems, 'not-supported-by-game'],
    audit: 'backup made',
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
    audit: 'backup deleted',
  },
  restoreBackup: {
    on: 'POST /backups/restore',
    group: 'Backups',
    scope: 'admin',
    summary: 'Go back to a backup',
    description:
      'The present farm is backed up first. The game is stopped and started again where this service runs it; where it does not, stop it first. What happened since the backup is lost to the players. The answer is 202 where it takes longer than 25 seconds: GET /operations/{id} shows each step.',
    query: {
      id: required(id, { means: 'Which one', example }),
      what: optional(backupContents, {
        means: 'What of it is restored; saves, owners and bans where nothing is said',
        example: 'saves,owners',
      }),
    },
    problems: [...workProblems, 'backup-not-found', 'backup-unfit', 'game-running', 'outcome-unknown'],
    audit: 'backup restored',
  },
  getBackupFile: {
    on: 'GET /backups/{id}/file',
    group: 'Backups',
    scope: 'admin',
    summary: `The backup itself: a tar archive in zstd, <id>${backupFileEnds}`,
    path: { id: required(id, { means: 'Which one', example }) },
    problems: ['backups-off', 'backup-not-found'],
  },
} as const satisfies Endpoints;
