import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { prepareDatabase } from '@steward/control-api/store/prepare-database';
import { databaseName } from '@steward/control-api/store/store';
import { inOneTransaction } from '@steward/control-api/store/tables/database';

/** Writes into the database of a STATE_DIR, as the service does, what it is to find there when it starts. */
export function fillDatabase(directory: string, fill: (database: DatabaseSync) => void): void {
  const path = join(directory, databaseName);
  const found = prepareDatabase({ path, journal: 'wal', now: () => new Date() });
  if (found.kind === 'newer') throw new Error(found.reason);
  using database = found.database;
  inOneTransaction(database, () => fill(database));
}
