import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { prepareDatabase } from '../../../src/store/prepare-database.ts';
import { databaseName } from '../../../src/store/store.ts';
import { type LeftKey, leaveKeys } from './left-keys.ts';
import { type LeftSchedule, leaveSchedules } from './left-schedules.ts';
import { type LeftWebhook, leaveWebhooks } from './left-webhooks.ts';
import { stageBegins } from './sampled.ts';

export interface LeftRecords {
  readonly leftKeys?: readonly LeftKey[] | undefined;
  readonly leftWebhooks?: readonly LeftWebhook[] | undefined;
  readonly leftSchedules?: readonly LeftSchedule[] | undefined;
}

/** What opens each key, by its name. */
type Secrets = ReadonlyMap<string, string>;

interface Made {
  readonly bytes: Buffer;
  readonly secrets: Secrets;
}

/** Databases by what was left in them: copying one takes a small part of the time that making it takes. */
const known = new Map<string, Made>();

/** Leaves a database behind for a stage in this directory, as an earlier process would, or these records in the one that lies there. */
export function leaveRecords(directory: string, records: LeftRecords): Secrets {
  const path = join(directory, databaseName);
  if (existsSync(path)) return write(path, records);
  const key = JSON.stringify(records);
  const { bytes, secrets } = known.get(key) ?? make(records);
  known.set(key, { bytes, secrets });
  writeFileSync(path, bytes, { mode: 0o600 });
  return secrets;
}

function make(records: LeftRecords): Made {
  using directory = temporaryDirectory();
  const path = join(directory.path, databaseName);
  const secrets = write(path, records);
  return { bytes: readFileSync(path), secrets };
}

function write(path: string, { leftKeys = [], leftWebhooks = [], leftSchedules = [] }: LeftRecords): Secrets {
  using database = opened(path);
  leaveWebhooks(database, leftWebhooks);
  leaveSchedules(database, leftSchedules);
  return leaveKeys(database, leftKeys);
}

function opened(path: string): DatabaseSync {
  const prepared = prepareDatabase({ path, journal: 'wal', now: () => new Date(stageBegins) });
  if (prepared.kind !== 'ready') throw new Error(prepared.reason);
  return prepared.database;
}
