import type { BackupFacts } from '@steward/shared/api/answers/backups';
import type { BackupReason } from '@steward/shared/backups';
import { Problem } from '@steward/shared/problems/problem';
import type { CommandResult } from '../game/operations/operation.ts';

export interface NewBackup {
  readonly why: BackupReason;
  readonly fresh?: boolean;
  readonly note?: string;
  readonly keep?: boolean;
  readonly all?: boolean;
}

export interface ListedBackups {
  readonly backups: readonly BackupFacts[];
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
  readonly bytes: number;
  readonly freeBytes: number;
  readonly rule: string;
}

/** Backups: made, listed, thinned out and deleted; what lies in BACKUP_DIR is all that is known of them. */
export class Backups {
  async list(): Promise<ListedBackups> {
    throw off();
  }

  /** As an operation, for who asks for one. */
  async create(_backup: NewBackup, _idempotencyKey: string | undefined): Promise<CommandResult> {
    throw off();
  }

  /** For another operation that needs one first; throws the Problem that says why there is none. */
  async make(_backup: NewBackup, _operationId: string): Promise<BackupFacts> {
    throw off();
  }

  async remove(_id: string, _idempotencyKey: string | undefined): Promise<CommandResult> {
    throw off();
  }

  /** The whole path of one that is there; throws the Problem where none is. */
  async fileOf(_id: string): Promise<string> {
    throw off();
  }
}

function off(): Problem {
  return new Problem(
    'backups-off',
    'There are no backups here: set BACKUP_DIR and GAME_SAVES_DIR, and start the service again',
  );
}
