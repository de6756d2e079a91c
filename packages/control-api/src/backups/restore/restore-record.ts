import { JsonFormat, newerRemedy } from '@steward/service-kit/files/json-format';
import { readRegular, StrangeFile } from '@steward/service-kit/files/read-regular';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import { errorCode } from '@steward/service-kit/process/errors';
import { backupFacts } from '@steward/shared/api/answers/backups';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { z } from 'zod';
import { swapPlace } from './swap.ts';

export const recordName = 'restore.json';

/**
 * How far the last restore has come. `unpacking`: only stages were written, and they go. `swapping`: nothing but completion can follow,
 * or else everything is taken back. `restored`, `undone`: that is how it ended, for the operation of whoever asked.
 */
const restoreRecord = z.object({
  version: z.literal(1),
  /** Absent where a command put everything into an empty STATE_DIR, which has no operations yet. */
  operationId: z.string().optional(),
  phase: z.enum(['unpacking', 'swapping', 'restored', 'undone']),
  backup: backupFacts,
  safetyBackupId: z.string().optional(),
  why: z.string().optional(),
  places: z.array(swapPlace).readonly(),
});

export type RestoreRecord = Readonly<z.infer<typeof restoreRecord>>;

export const restoreRecordFormat = new JsonFormat(1, restoreRecord);

/** It is written before a restore changes anything, and never taken away: the next one writes over it. */
export class RecordFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async write(record: RestoreRecord): Promise<void> {
    await replaceFile(this.path, `${JSON.stringify(record)}\n`);
  }

  /** Undefined where nothing was ever restored; a trouble where nobody can tell whether a restore was cut off. */
  async read(): Promise<RestoreRecord | MendableTrouble | undefined> {
    let text: string;
    try {
      text = (await readRegular(this.path)).toString();
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return undefined;
      const remedy = error instanceof StrangeFile ? this.#removal : 'Let the service read it';
      return { reason: `${this.path} cannot be read (${code ?? error})`, remedy };
    }
    const read = restoreRecordFormat.read(text);
    switch (read.kind) {
      case 'content':
        return read.content;
      case 'newer':
        return { reason: `${this.path} ${read.reason}`, remedy: newerRemedy };
      case 'corrupt':
        return {
          reason: `${this.path} cannot be understood, so it is unknown whether a restore was interrupted`,
          remedy: this.#removal,
        };
    }
  }

  get #removal(): string {
    return `Check that the farm is complete, remove ${this.path}, and restart the service`;
  }
}
