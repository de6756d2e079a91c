import type { DatabaseSync } from 'node:sqlite';
import { giveBack, inOneTransaction } from './database.ts';

/** Which lines make room for which: those of one sort go for newer ones of their own. */
export const auditSorts = ['done', 'said', 'refused'] as const;

export type AuditSort = (typeof auditSorts)[number];

/** A line as it is kept: what its body means is for whoever asks to know. */
export interface AuditRow {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sort: AuditSort;
  readonly actor: string;
  readonly action: string;
  readonly outcome: string;
  readonly operation: string | null;
  readonly body: string;
}

/** Something has begun that will have a line; or, of what has begun under that number, which operation it is. */
export interface AuditBegin extends Omit<AuditRow, 'outcome' | 'operation'> {
  readonly kind: 'audit-begin';
  readonly operation?: string;
}

/** The line of what had begun under that number, or of what came to pass at once. */
export interface AuditWrite extends AuditRow {
  readonly kind: 'audit';
  readonly begun: number | null;
}

/**
 * Takes away, of the oldest `most`, those from before that time and those of each sort beyond its count. What is older by its time than
 * the oldest that stays, and came after it, is of a clock that was behind, and stays.
 */
export interface ForgetAudit {
  readonly kind: 'forget-audit';
  readonly before: number;
  readonly keep: Readonly<Record<AuditSort, number>>;
  readonly most: number;
}

/**
 * Of a database that took another's place: what that one gave out is not known, and is less than the milliseconds since 1970, as no
 * disk takes a line in each.
 */
export function numberAnew(database: DatabaseSync, now: Date): void {
  inOneTransaction(database, () => {
    database.exec(
      "insert into sqlite_sequence select 'audit', 0 where not exists (select 1 from sqlite_sequence where name = 'audit')",
    );
    database.prepare("update sqlite_sequence set seq = max(seq, ?) where name = 'audit'").run(now.getTime());
  });
}

/** What was under way when the process before ended, as a line that says so. */
export function keepInterrupted(database: DatabaseSync): void {
  inOneTransaction(database, () => {
    database.exec(
      `insert or ignore into audit (at, sort, actor, action, outcome, operation, body)
        select at, sort, actor, action, 'unknown', body ->> '$.operation',
          json_set(json_remove(body, '$.operation'), '$.interrupted', json('true')) from audit_begun order by n;
      delete from audit_begun`,
    );
  });
}

export function auditWriter(database: DatabaseSync) {
  const begin = database.prepare(
    `insert into audit_begun values (?1, ?2, ?3, ?4, ?5, iif(?6 is null, ?7, json_set(?7, '$.operation', ?6)))
      on conflict do update set body = excluded.body`,
  );
  const ended = database.prepare('delete from audit_begun where n = ?');
  // A retry of a write that was done is no second deed: one line says of an operation how it ended.
  const insert = database.prepare('insert into audit values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing');
  // By the time alone, lines would go early that were written while the clock was behind: one goes only if no line stays that came
  // before it. By number alone, one line of a clock that was ahead would hold up all others.
  const forgetOld = database.prepare(
    `delete from audit where n in (
      select n from audit
        where at < ?1 and +n < coalesce(
          (select n from audit where at >= ?1 order by at, n limit 1), ${Number.MAX_SAFE_INTEGER})
        order by at, n limit ?2)`,
  );
  const firstKept = database.prepare('select n from audit where sort = ? order by n desc limit 1 offset ?');
  const forgetMany = database.prepare(
    'delete from audit where n in (select n from audit where sort = ? and n <= ? order by n limit ?)',
  );
  return {
    begin({ number, at, sort, actor, action, operation, body }: AuditBegin): number {
      return Number(begin.run(number, at, sort, actor, action, operation ?? null, body).changes);
    },
    keep({ begun, number, at, sort, actor, action, outcome, operation, body }: AuditWrite): number {
      ended.run(begun);
      return Number(insert.run(number, at, sort, actor, action, outcome, operation, body).changes);
    },
    forget({ before, keep, most }: ForgetAudit): number {
      let gone = Number(forgetOld.run(before, most).changes);
      for (const sort of auditSorts) {
        const last = firstKept.get(sort, keep[sort])?.['n'];
        if (last !== undefined) gone += Number(forgetMany.run(sort, Number(last), most - gone).changes);
      }
      giveBack(database);
      return gone;
    },
  };
}

export interface AuditQuery {
  /** None of these and before. */
  readonly after: number;
  /** None of these and after. */
  readonly before: number;
  readonly limit: number;
  /** Which are taken where there are more than `limit`, and in which order they come. */
  readonly from: 'oldest' | 'newest';
  /** What all of them have. */
  readonly having: AuditFilter;
}

const filters = ['actor', 'action', 'outcome'] as const;

export type AuditFilter = { readonly [Name in (typeof filters)[number]]?: string | undefined };

/** Reads lines, on a connection that sees what is kept. */
export class AuditReader {
  /** The last number that was given out before this was opened. */
  readonly last: number;
  readonly #database: DatabaseSync;
  /** By their SQL. */
  readonly #pages = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  readonly #first: ReturnType<DatabaseSync['prepare']>;
  readonly #from: ReturnType<DatabaseSync['prepare']>;
  readonly #upTo: ReturnType<DatabaseSync['prepare']>;
  readonly #since: ReturnType<DatabaseSync['prepare']>;
  readonly #unsettled: ReturnType<DatabaseSync['prepare']>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const given = database.prepare(
      `select max(coalesce((select seq from sqlite_sequence where name = 'audit'), 0),
        coalesce((select max(n) from audit_begun), 0)) as last`,
    );
    this.last = Number(given.get()?.['last']);
    this.#first = database.prepare('select min(n) as first from audit');
    this.#from = database.prepare('select min(n) as n from audit where n >= ?');
    this.#upTo = database.prepare('select max(n) as n from audit where n <= ?');
    this.#since = database.prepare('select n from audit where at >= ? order by at, n limit 1');
    this.#unsettled = database.prepare(
      `select * from audit as line
        where outcome = 'unknown' and operation is not null and not exists
          (select 1 from audit where operation = line.operation and outcome <> 'unknown')
        order by n desc limit ?`,
    );
  }

  page({ after, before, limit, from, having }: AuditQuery): AuditRow[] {
    const given = filters.flatMap((name) => having[name] ?? []);
    // Only what is asked for stands in it, so that it is looked up in that one's index.
    const where = filters.filter((name) => having[name] !== undefined).map((name) => `and ${name} = ?`);
    const order = from === 'oldest' ? 'asc' : 'desc';
    const sql = `select * from audit where n > ? and n < ? ${where.join(' ')} order by n ${order} limit ?`;
    const statement = this.#pages.get(sql) ?? this.#database.prepare(sql);
    this.#pages.set(sql, statement);
    return statement.all(after, before, ...given, limit).map(rowOf);
  }

  /** The number of the first line. */
  first(): number {
    return Number(this.#first.get()?.['first'] ?? 1);
  }

  /** The number of the first line of that number or a greater one; where there is none, more than any. */
  from(number: number): number {
    return Number(this.#from.get(number)?.['n'] ?? Number.MAX_SAFE_INTEGER);
  }

  /** The number of the last line of that number or a smaller one; 0 where there is none. */
  upTo(number: number): number {
    return Number(this.#upTo.get(number)?.['n'] ?? 0);
  }

  /** The first line from that time on; undefined where there is none. */
  since(at: number): number | undefined {
    const row = this.#since.get(at);
    return row === undefined ? undefined : Number(row['n']);
  }

  /** The newest lines of operations of which it is not known yet how they ended. */
  unsettled(most: number): AuditRow[] {
    return this.#unsettled.all(most).map(rowOf);
  }
}

function rowOf(row: Record<string, unknown>): AuditRow {
  const { n, at, sort, actor, action, outcome, operation, body } = row;
  return {
    number: Number(n),
    at: Number(at),
    sort: sort as AuditSort,
    actor: String(actor),
    action: String(action),
    outcome: String(outcome),
    operation: operation === null ? null : String(operation),
    body: String(body),
  };
}
