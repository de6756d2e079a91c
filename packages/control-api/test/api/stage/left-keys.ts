import { join } from 'node:path';
import type { Scope } from '@steward/shared/scopes';
import { hashOf, newKeyId, newSecret } from '../../../src/keys/key-index.ts';
import { type KeptKey, keyWriter } from '../../../src/store/keys.ts';
import { operationWriter } from '../../../src/store/operations.ts';
import { prepareDatabase } from '../../../src/store/prepare-database.ts';
import { databaseName } from '../../../src/store/store.ts';
import { stageBegins } from './sampled.ts';

export interface LeftKey extends Partial<KeptKey> {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** Leaves keys behind for a stage in this directory, as an earlier process would; returns what opens each, by its name. */
export function leaveKeys(directory: string, keys: readonly LeftKey[]): ReadonlyMap<string, string> {
  const path = join(directory, databaseName);
  const prepared = prepareDatabase({ path, journal: 'wal', now: () => new Date(stageBegins) });
  if (prepared.kind !== 'ready') throw new Error(prepared.reason);
  using database = prepared.database;
  const secrets = new Map(keys.map(({ name }) => [name, newSecret()]));
  const put = keys.map((key) => ({ ...unused(secrets.get(key.name) ?? ''), ...key }));
  keyWriter(database, operationWriter(database)).keep({
    kind: 'keys',
    put,
    forget: [],
    operation: undefined,
  });
  return secrets;
}

function unused(secret: string) {
  return {
    id: newKeyId(),
    hash: hashOf(secret),
    createdAt: stageBegins,
    expiresAt: null,
    oldHash: null,
    oldUntil: null,
    usedAt: null,
    endedAt: null,
    ended: null,
  };
}
