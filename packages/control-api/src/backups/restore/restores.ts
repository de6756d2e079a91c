import type { BackupPart } from '@steward/shared/backups';
import { Problem } from '@steward/shared/problems/problem';
import type { CommandResult } from '../../game/operations/operation.ts';

/** Goes back to a backup, as an operation with steps; killed at any of them it ends in the old state or in the new one. */
export class Restores {
  async restore(
    _id: string,
    _what: readonly BackupPart[] | undefined,
    _idempotencyKey: string | undefined,
  ): Promise<CommandResult> {
    throw new Problem(
      'backups-off',
      'There are no backups here: set BACKUP_DIR and GAME_SAVES_DIR, and start the service again',
    );
  }
}
