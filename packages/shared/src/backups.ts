/** Why a backup was made. */
export const backupReasons = [
  'asked',
  'schedule',
  'before-restore',
  'before-delete',
  'before-update',
  'before-farm-change',
  'imported',
] as const;

export type BackupReason = (typeof backupReasons)[number];

/** What a backup may have, and what of it can be restored alone. */
export const backupParts = ['saves', 'owners', 'settings', 'bans'] as const;

export type BackupPart = (typeof backupParts)[number];

/**
 * What is restored where nothing is said: the save, and whose farmhands there were on that day. Whoever was banned since, perhaps for what
 * is undone by it, stays banned.
 */
export const usualParts: readonly BackupPart[] = ['saves', 'owners'];

/** What a restore does, in this order. */
export const restoreSteps = [
  'checking',
  // The backup on the way back has what the game saves when it goes.
  'stopping-game',
  'safety-backup',
  'unpacking',
  'swapping',
  'starting-game',
] as const;

export type RestoreStep = (typeof restoreSteps)[number];

/** The name of a backup: when it was made, in UTC, and three random bytes; so names sort by age. */
export const backupIdPattern = /^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{6}$/;

/** What lies in BACKUP_DIR: nothing that is not complete has such a name. */
export const backupFileEnds = '.steward.tar.zst';
