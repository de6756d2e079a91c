import type { DatabaseSync } from 'node:sqlite';
import { asOfOneMoment, giveBack, inOneTransaction } from './database.ts';

/** An event as it is kept: what its body means is for whoever asks to know. */
export interface EventRow {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly topic: string;
  readonly body: string;
}

/** Numbers behind `after`, up to and with `upTo`. */
export interface NumberRange {
  readonly after: number;
  readonly upTo: number;
}

/** The epoch that numbers belong to, and up to where they may have been given out. */
export interface EventMark {
  readonly epoch: string;
  readonly reserved: number;
}

/** The next stretch of the log. */
export interface EventsWrite {
  readonly kind: 'events';
  readonly mark?: EventMark | undefined;
  /** What came before them and cannot be kept any more. */
  readonly gap?: NumberRange | undefined;
  readonly events: readonly EventRow[];
  readonly keptTo: number;
}

/**
 * Takes away, of the oldest `most`, those from before that time and those beyond that count. What is from after `now` is of a clock that
 * was ahead: it holds up nothing, and goes beside them with what is too old behind it.
 */
export interface ForgetEvents {
  readonly kind: 'forget-events';
  readonly before: number;
  readonly now: number;
  readonly keep: number;
  readonly most: number;
}

/** Where the log stands; without an epoch where it has not begun. */
export interface EventLogPlace extends EventMark {
  readonly keptTo: number;
}

export interface Begun extends EventLogPlace {
  /** The last number that an earlier process may have given out. */
  readonly last: number;
}

/** Numbers that are set aside at once: each kill leaves as many behind, and of those there are enough. */
export const reservedAtOnce = 65_536;

/**
 * What an earlier process may have told and did not keep becomes a gap, and the first numbers of this one are set aside: under
 * another epoch where the database is not the one that was here last, whose numbers were given out.
 */
export function beginEvents(
  database: DatabaseSync,
  newEpoch: () => string,
  { isAnother = false, told = 0 } = {},
): Begun {
  return inOneTransaction(database, () => {
    database.prepare('insert into event_log values (1, ?, 0, 0, 0) on conflict do nothing').run(newEpoch());
    const { epoch: known, reserved: before, keptTo } = lastOfEvents(database);
    // What was told before it could be opened has numbers of its own, which are a gap for whoever goes on from these.
    const last = before + told;
    const epoch = isAnother ? newEpoch() : known;
    const reserved = last + reservedAtOnce;
    if (keptTo < last) keepGap(database, { after: keptTo, upTo: last });
    database.prepare('update event_log set epoch = ?, reserved = ?, kept_to = ?').run(epoch, reserved, last);
    return { epoch, last, keptTo: last, reserved };
  });
}

export function lastOfEvents(database: DatabaseSync): EventLogPlace {
  const row = database.prepare('select epoch, reserved, kept_to from event_log').get();
  return {
    epoch: String(row?.['epoch'] ?? ''),
    reserved: Number(row?.['reserved'] ?? 0),
    keptTo: Number(row?.['kept_to'] ?? 0),
  };
}

export function eventWriter(database: DatabaseSync) {
  const insert = database.prepare(
    'insert into events (n, at, topic, body) values (?, ?, ?, ?) on conflict do nothing',
  );
  const keptTo = database.prepare('update event_log set kept_to = max(kept_to, ?)');
  const mark = database.prepare(
    `insert into event_log values (1, ?, ?, 0, 0)
      on conflict do update set epoch = excluded.epoch, reserved = excluded.reserved`,
  );
  const count = database.prepare('select count(*) as rows from events');
  const nth = database.prepare('select n from events order by n limit 1 offset ?');
  const oldest = database.prepare('select n, at from events where at <= ? order by n limit ?');
  const remove = database.prepare('delete from events where n <= ?');
  const forgetGaps = database.prepare('delete from event_gaps where up_to <= ?');
  const forgotten = database.prepare('update event_log set forgotten = max(forgotten, ?)');
  return {
    keep(write: EventsWrite): number {
      if (write.mark !== undefined) mark.run(write.mark.epoch, write.mark.reserved);
      if (write.gap !== undefined) keepGap(database, write.gap);
      for (const { number, at, topic, body } of write.events) insert.run(number, at, topic, body);
      keptTo.run(write.keptTo);
      return write.events.length;
    },
    forget({ before, now, keep, most }: ForgetEvents): number {
      const beyond = Math.min(most, Number(count.get()?.['rows']) - keep);
      const lastBeyond = beyond > 0 ? Number(nth.get(beyond - 1)?.['n']) : 0;
      // Where nobody knows the time, none is too old, and no row would do: each would be looked at.
      const rows = Number.isFinite(before) ? oldest.all(now, most) : [];
      const stays = rows.findIndex(({ at }) => Number(at) >= before);
      const old = stays < 0 ? rows : rows.slice(0, stays);
      const last = Math.max(lastBeyond, Number(old.at(-1)?.['n'] ?? 0));
      const { changes } = remove.run(last);
      forgetGaps.run(last);
      forgotten.run(last);
      giveBack(database);
      return Number(changes);
    },
  };
}

export interface EventQuery {
  /** None of these and before. */
  readonly after: number;
  /** None of these and after. */
  readonly before: number;
  /** All of them where none are named. */
  readonly topics?: readonly string[] | undefined;
  readonly limit: number;
  /** Which are taken where there are more than `limit`; they come in their order either way. */
  readonly from: 'oldest' | 'newest';
}

/** Reads the log, on a connection that sees what is kept. */
export class EventReader {
  readonly #database: DatabaseSync;
  readonly #statements: Readonly<Record<'any' | 'topic', ReturnType<typeof pageStatements>>>;
  readonly #lost: ReturnType<DatabaseSync['prepare']>;
  readonly #last: ReturnType<DatabaseSync['prepare']>;
  readonly #from: ReturnType<DatabaseSync['prepare']>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = {
      any: pageStatements(database, 'n > ? and n < ?'),
      topic: pageStatements(database, 'topic = ? and n > ? and n < ?'),
    };
    this.#lost = database.prepare(
      `select exists (select 1 from event_gaps where up_to > ?1 and after < ?2)
        or exists (select 1 from event_log where forgotten > ?1) as lost`,
    );
    this.#last = database.prepare('select max(n) as last from events');
    this.#from = database.prepare('select n, at from events where n >= ? order by n limit 1');
  }

  page({ after, before, topics, limit, from }: EventQuery): EventRow[] {
    const { any, topic } = this.#statements;
    // By topic each is a walk along the index; asked for all at once SQLite might walk past a million of others.
    const rows =
      topics === undefined
        ? any[from].all(after, before, limit)
        : // Between two of them more may be kept: a page that has it of one topic and not of another would lose the other's for good.
          asOfOneMoment(this.#database, () =>
            topics.flatMap((each) => topic[from].all(each, after, before, limit)),
          );
    const found = rows.map(eventOf).sort((one, other) => one.number - other.number);
    return from === 'oldest' ? found.slice(0, limit) : found.slice(-limit);
  }

  /** Whether any number in the range was told, perhaps, and is not to be had. Asked after the page, whose rows may go meanwhile. */
  hasLost({ after, upTo }: NumberRange): boolean {
    return this.#lost.get(after, upTo)?.['lost'] === 1;
  }

  /** The number of the last event from before that time, in milliseconds since 1970; 0 where there is none. */
  lastBefore(time: number): number {
    let low = 0;
    // Times have no index: they grow with the numbers, but for a clock that was set.
    for (let high = Number(this.#last.get()?.['last'] ?? 0) + 1; low + 1 < high; ) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#from.get(middle);
      if (row === undefined || Number(row['at']) >= time) high = middle;
      else low = Number(row['n']);
    }
    return low;
  }
}

function keepGap(database: DatabaseSync, { after, upTo }: NumberRange): void {
  database
    .prepare(
      'insert into event_gaps (after, up_to) values (?, ?) on conflict do update set up_to = max(up_to, excluded.up_to)',
    )
    .run(after, upTo);
}

function pageStatements(database: DatabaseSync, where: string) {
  const select = `select n, at, topic, body from events where ${where}`;
  return {
    oldest: database.prepare(`${select} order by n limit ?`),
    newest: database.prepare(`${select} order by n desc limit ?`),
  };
}

function eventOf(row: Record<string, unknown>): EventRow {
  return {
    number: Number(row['n']),
    at: Number(row['at']),
    topic: String(row['topic']),
    body: String(row['body']),
  };
}
