import type { DatabaseSync } from 'node:sqlite';

/** What the database knows about what it came from. */
export const factNames = {
  /** When it took the place of another, such as a damaged one: which keys were sent until then is lost. */
  keysLost: 'keys-lost',
  /** The same time, for as long as nobody knows whether the clock was right; any other says nothing. */
  keysLostUnsure: 'keys-lost-unsure',
  /** The size and the time of the operations file as it was when what it holds was taken over. */
  operationsFile: 'operations-file',
  /** Since when nobody is online: a time, or nothing while somebody is. */
  emptySince: 'empty-since',
} as const;

export interface Fact {
  readonly name: (typeof factNames)[keyof typeof factNames];
  readonly value: string;
}

export interface FactWrite extends Fact {
  readonly kind: 'fact';
}

export function keepFact(database: DatabaseSync, { name, value }: Fact): void {
  database
    .prepare('insert into facts values (?, ?) on conflict do update set value = excluded.value')
    .run(name, value);
}

export function factOf(database: DatabaseSync, name: Fact['name']): string | undefined {
  const row = database.prepare('select value from facts where name = ?').get(name);
  return row === undefined ? undefined : String(row['value']);
}
