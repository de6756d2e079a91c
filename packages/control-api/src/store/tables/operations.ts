import type { DatabaseSync } from 'node:sqlite';
import { type Fact, keepFact } from './facts.ts';

/** An operation as it is kept: what its body says is for whoever asks to know. */
export interface OperationWrite {
  readonly kind: 'operation';
  readonly id: string;
  /** When it came into its state, in milliseconds since 1970; the column is named for when it began, which it held before. */
  readonly changedAt: number;
  /** Whether a retry is known by a key; those with one and those without are forgotten apart. */
  readonly hasKey: boolean;
  /** Whether nothing more will be known of it: what is not is never forgotten. */
  readonly isFinal: boolean;
  readonly body: string;
}

/** What an older file knows, and that it was read; both or neither. */
export interface TakeOverOperations {
  readonly kind: 'take-over-operations';
  readonly operations: readonly OperationWrite[];
  readonly fact: Fact;
}

/** Takes away those that ended before that time, and of each sort those beyond a count. */
export interface ForgetOperations {
  readonly kind: 'forget-operations';
  readonly before: number;
  readonly keepWithKey: number;
  readonly keepWithoutKey: number;
}

/** What writes operations; each may be done again after it was done. */
export function operationWriter(database: DatabaseSync) {
  // An id that comes again after its end is a new try, and comes last.
  const leave = database.prepare('delete from operations where id = ? and is_final = 1 and ? = 0');
  const put = database.prepare(
    `insert into operations (id, created_at, has_key, is_final, body) values (?, ?, ?, ?, ?)
      on conflict (id) do update set created_at = excluded.created_at, has_key = excluded.has_key,
        is_final = excluded.is_final, body = excluded.body`,
  );
  const forgetOld = database.prepare('delete from operations where is_final = 1 and created_at < ?');
  const forgetMany = database.prepare(
    `delete from operations where is_final = 1 and has_key = ?1 and place <=
      (select place from operations where has_key = ?1 order by place desc limit 1 offset ?2)`,
  );
  const keep = ({ id, changedAt, hasKey, isFinal, body }: OperationWrite): number => {
    leave.run(id, Number(isFinal));
    return Number(put.run(id, changedAt, Number(hasKey), Number(isFinal), body).changes);
  };
  return {
    keep,
    takeOver({ operations, fact }: TakeOverOperations): number {
      for (const each of operations) keep(each);
      keepFact(database, fact);
      return operations.length;
    },
    forget({ before, keepWithKey, keepWithoutKey }: ForgetOperations): number {
      const gone = [forgetOld.run(before), forgetMany.run(1, keepWithKey), forgetMany.run(0, keepWithoutKey)];
      return gone.reduce((rows, { changes }) => rows + Number(changes), 0);
    },
  };
}

/** The bodies of all that are kept, the oldest first. */
export function keptOperations(database: DatabaseSync): string[] {
  const rows = database.prepare('select body from operations order by place').all();
  return rows.map(({ body }) => String(body));
}
