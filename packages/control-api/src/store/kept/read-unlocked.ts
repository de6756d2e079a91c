import type { Clock } from '@steward/service-kit/clock';
import { sqliteCode, sqliteCodes } from '../tables/database.ts';
import { failureOf, StoreError, storeError } from '../tables/store-error.ts';

/** A reader of a rollback journal finds the file locked for as long as a change takes. */
const lockedMs = 5;
const lockedTries = 400;

export interface ReadingParts {
  readonly clock: Clock;
  /** Told of what reading meets. */
  readonly failed: (error: StoreError) => void;
}

/** Reads as soon as the file is not locked; rejects with a StoreError. */
export async function readUnlocked<Found>(
  { clock, failed }: ReadingParts,
  read: () => Found,
): Promise<Found> {
  for (let tries = 1; ; tries += 1) {
    try {
      return read();
    } catch (error) {
      if (error instanceof StoreError) throw error;
      if (sqliteCode(error) !== sqliteCodes.busy || tries === lockedTries) {
        const failure = storeError(failureOf(error));
        failed(failure);
        throw failure;
      }
    }
    await new Promise<void>((over) => clock.after(lockedMs, over));
  }
}
