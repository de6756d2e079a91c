import type { DatabaseSync } from 'node:sqlite';
import type { Scope } from '@steward/shared/scopes';
import type { OperationWrite, operationWriter } from './operations.ts';

/** Of a secret that was replaced and works no more, but is known. A version that knows only times takes it for one that has passed. */
export const noMore = 0;

/** A key as it is kept: what it is nobody can read from it. Times are milliseconds since 1970. */
export interface KeptKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** SHA-256 of what is shown once. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** What it was before the last rotation, and until when that works: then it is `noMore`. */
  readonly oldHash: string | null;
  readonly oldUntil: number | null;
  readonly usedAt: number | null;
  readonly endedAt: number | null;
  readonly ended: 'revoked' | 'expired' | null;
}

/** Keys as they are from now on, those of whom nothing is to be known any more, and the operation that it was: all or nothing. */
export interface KeysWrite {
  readonly kind: 'keys';
  readonly put: readonly KeptKey[];
  readonly forget: readonly string[];
  readonly operation: OperationWrite | undefined;
}

/** What time alone has done to keys; not to one that has another secret by now, or has ended otherwise. */
export interface KeysPassed {
  readonly kind: 'keys-passed';
  readonly put: readonly KeptKey[];
  readonly forget: readonly string[];
}

export interface KeysUsed {
  readonly kind: 'keys-used';
  readonly used: readonly { readonly id: string; readonly at: number }[];
}

/** What writes keys; each may be done again after it was done. */
export function keyWriter(
  database: DatabaseSync,
  operations: Pick<ReturnType<typeof operationWriter>, 'keep'>,
) {
  const put = database.prepare(
    `insert into keys values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (id) do update set name = excluded.name, scopes = excluded.scopes, hash = excluded.hash,
        created_at = excluded.created_at, expires_at = excluded.expires_at, old_hash = excluded.old_hash,
        old_until = excluded.old_until, used_at = excluded.used_at, ended_at = excluded.ended_at, ended = excluded.ended`,
  );
  const forget = database.prepare('delete from keys where id = ?');
  const pass = database.prepare(
    'update keys set old_hash = ?, old_until = ?, ended_at = ?, ended = ? where id = ? and hash = ? and ended is null',
  );
  const use = database.prepare('update keys set used_at = ? where id = ?');
  return {
    keep({ put: keys, forget: forgotten, operation }: KeysWrite): number {
      for (const key of keys) {
        const { id, name, scopes, hash, createdAt, expiresAt, oldHash, oldUntil, usedAt, endedAt, ended } =
          key;
        put.run(
          id,
          name,
          scopes.join(),
          hash,
          createdAt,
          expiresAt,
          oldHash,
          oldUntil,
          usedAt,
          endedAt,
          ended,
        );
      }
      for (const id of forgotten) forget.run(id);
      if (operation !== undefined) operations.keep(operation);
      return keys.length;
    },
    pass({ put: keys, forget: forgotten }: KeysPassed): number {
      for (const { id, hash, oldHash, oldUntil, ended, endedAt } of keys)
        pass.run(oldHash, oldUntil, endedAt, ended, id, hash);
      for (const id of forgotten) forget.run(id);
      return keys.length;
    },
    use({ used }: KeysUsed): number {
      for (const { id, at } of used) use.run(at, id);
      return used.length;
    },
  };
}

/** All that are kept, the oldest first. */
export function keptKeys(database: DatabaseSync): KeptKey[] {
  const rows = database
    .prepare(
      `select id, name, scopes, hash, created_at as createdAt, expires_at as expiresAt, old_hash as oldHash,
        old_until as oldUntil, used_at as usedAt, ended_at as endedAt, ended from keys order by created_at, rowid`,
    )
    .all();
  // A strict table holds what its columns say, and nobody else writes it.
  return rows.map((row) => ({ ...row, scopes: String(row['scopes']).split(',') }) as unknown as KeptKey);
}
