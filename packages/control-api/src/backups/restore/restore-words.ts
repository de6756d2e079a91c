import type { BackupFacts } from '@steward/shared/api/answers/backups';
import { Problem } from '@steward/shared/problems/problem';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import type { Ending } from '../../game/operations/operation.ts';
import { ArchiveError } from '../archive/archivist.ts';
import type { Manifest } from '../archive/manifest.ts';
import { unfit } from './restore-plan.ts';
import type { SeenAgain } from './seen-again.ts';
import { StageMissing } from './swap.ts';

/** Why there is no game meanwhile. */
export const whyAway: MendableTrouble = {
  reason: 'a backup is being restored',
  remedy: 'Nothing to do: the game starts again when that is done. GET /operations shows the progress',
};

/** What has come of a restore. */
export interface Done {
  readonly safetyBackupId?: string | undefined;
  readonly seen: SeenAgain;
}

export function outcomeOf(backup: BackupFacts, { safetyBackupId, seen }: Done) {
  const safety = safetyBackupId === undefined ? {} : { safetyBackupId };
  return { outcome: 'applied' as const, before: {}, after: { backup, ...safety, ...seen } };
}

/** Whether only its own record says how a restore ended that was cut off in this step: before the swap nothing is changed. */
export function mayHaveChanged(step: string | undefined): boolean {
  return step === 'swapping' || step === 'starting-game';
}

/** The end of one whose record was removed, or replaced by that of a later restore. */
export const lost: Ending = {
  state: 'unknown',
  why: 'this service was stopped while it replaced the farm, and restore.json no longer says how that ended',
  forGood: true,
};

/** What an archive or a disk has against it, in words for whoever asked. */
export function whyNot({ id }: Pick<Manifest, 'id'>, error: unknown): Error {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return new Error(String(error));
  const isOfTheSystem = 'syscall' in error || error instanceof StageMissing;
  if (!(error instanceof ArchiveError) && !isOfTheSystem) return error;
  if (error instanceof ArchiveError && error.kind === 'no-room')
    return new Problem('no-room', `${error.message}: free some space, and try again. Nothing was changed`);
  const isTheDisk =
    isOfTheSystem || (error instanceof ArchiveError && ['unwritable', 'unreadable'].includes(error.kind));
  if (!isTheDisk) return unfit({ id }, `cannot be used: ${error.message}`);
  return new Problem(
    'backup-failed',
    `The backup ${id} was not restored: ${error.message}. Nothing was changed`,
  );
}
