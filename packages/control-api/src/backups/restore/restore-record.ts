import { JsonFormat, newerRemedy } from '@steward/service-kit/files/json-format';
import { readRegular, StrangeFile } from '@steward/service-kit/files/read-regular';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import { backupFacts } from '@steward/shared/api/answers/backups';
import type { EventOf, StewardEvent } from '@steward/shared/events/event-data';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { z } from 'zod';
import type { Events } from '../../game/state/event-log.ts';
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

export type Begun = Omit<EventOf<'backups.restoring'>['data'], 'step'>;

interface Told {
  readonly bridge: { readonly events: Pick<Events<StewardEvent>, 'page'> };
  readonly log: Pick<Log, 'warn'>;
}

/** One that was cut off is among the newest: it tells of its few steps and of one backup, and no other runs beside it. */
const lookedThrough = 20;

/** Of which restores everybody was told that they have begun, by their operations: nothing else is known of one that was cut off early. */
export async function begunRestores({ bridge, log }: Told): Promise<ReadonlyMap<string, Begun>> {
  try {
    const { events } = await bridge.events.page({ topics: ['backups'], limit: lookedThrough });
    return new Map(
      events.flatMap(({ event }) => {
        if (event.type !== 'backups.restoring') return [];
        const { step: _, ...begun } = event.data;
        return [[begun.operationId, begun] as const];
      }),
    );
  } catch (error) {
    log.warn({ err: error }, 'if a restore was cut off, nobody is told of its end');
    return new Map();
  }
}
