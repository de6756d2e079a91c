import type { DatabaseSync } from 'node:sqlite';
import type { Scope } from '@steward/shared/scopes';
import { hashOf, newKeyId, newSecret } from '../../../src/keys/key-index.ts';
import { type KeptKey, keyWriter } from '../../../src/store/tables/keys.ts';
import { operationWriter } from '../../../src/store/tables/operations.ts';
import { stageBegins } from './sampled.ts';

export interface LeftKey extends Partial<KeptKey> {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** Leaves keys behind, as an earlier process would; returns what opens each, by its name. */
export function leaveKeys(database: DatabaseSync, keys: readonly LeftKey[]): ReadonlyMap<string, string> {
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
