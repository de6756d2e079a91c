import type { Operation } from '../../game/operations/operation.ts';
import type { KeptSchedule, ScheduleProgress } from '../tables/schedules.ts';
import type { Writer } from '../writing/writer.ts';
import { operationRow } from './operations.ts';

export interface KeptSchedulesParts {
  readonly writer: Pick<Writer, 'write'>;
  /** The schedules that an earlier process kept. */
  readonly kept: () => readonly KeptSchedule[];
  /** Why there is no database, where that is so. */
  readonly noDatabase: () => string | undefined;
}

/** Schedules in the database, and how far each has come. */
export class KeptSchedules {
  readonly #parts: KeptSchedulesParts;

  constructor(parts: KeptSchedulesParts) {
    this.#parts = parts;
  }

  load(): readonly KeptSchedule[] {
    return this.#parts.kept();
  }

  /** Why nobody can tell what schedules there are, where that is so. */
  get unreadable(): string | undefined {
    return this.#parts.noDatabase();
  }

  /** Resolves when the schedules, and with them the operation that changed them, would survive a power cut. */
  async change(put: readonly KeptSchedule[], forget: readonly string[], operation: Operation): Promise<void> {
    const row = operationRow(operation);
    await this.#parts.writer.write({ kind: 'schedules', put, forget, operation: row }, 'durable');
  }

  /** Resolves when that would survive a power cut, or with `late` the end of this process; rejects with a StoreError. */
  async move(
    id: string,
    { doneTo, off, run }: ScheduleProgress,
    durability: 'durable' | 'late',
  ): Promise<void> {
    await this.#parts.writer.write(
      { kind: 'schedules-moved', moved: [{ id, doneTo, off, run }] },
      durability,
    );
  }
}
