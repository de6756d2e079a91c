import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, Timer } from '@steward/service-kit/clock';
import { readJson } from '@steward/service-kit/json';
import {
  type Cursor,
  EventLog,
  type EventLogLimits,
  eventLogLimits,
  type LoggedEvent,
  printCursor,
  type Reading,
} from '../game/events/event-log.ts';
import { sqliteCode, sqliteCodes } from './database.ts';
import {
  type Begun,
  type EventQuery,
  type EventReader,
  type EventRow,
  type EventsWrite,
  reservedAtOnce,
} from './events.ts';
import { failureOf, StoreError, storeError } from './store-error.ts';
import type { Writer } from './writer.ts';

/** One transaction has so many events at most, so that what waits behind it does not wait long. */
const eventsAtOnce = 1_000;
/** Read in one turn of the event loop. */
const rowsAtOnce = 500;
/** Before what could not be kept is tried again. */
const againMs = 1_000;
/** A reader of a rollback journal finds the file locked for as long as a change takes. */
const lockedMs = 5;
const lockedTries = 400;

/** What the log has to know of its events. */
export interface EventKind<Event> {
  /** What readers choose by; undefined for what is told and not kept. */
  readonly topicOf: (event: Event) => string | undefined;
  /** Undefined for what no event of this version says. */
  readonly read: (body: unknown) => Event | undefined;
}

export interface KeptEventLogParts<Event extends object> {
  readonly kind: EventKind<Event>;
  readonly writer: Pick<Writer, 'write'>;
  readonly reader: Pick<EventReader, 'page' | 'hasLost'>;
  readonly begun: Begun;
  readonly clock: Clock;
  /** Of what takes the place of an epoch whose numbers cannot be set aside any more. */
  readonly newEpoch: () => string;
  /** Told of what reading meets. */
  readonly failed: (error: StoreError) => void;
  /** Of what memory holds: the newest, which most readers ask for, and those that wait for the disk. */
  readonly limits?: EventLogLimits;
}

/** A page of what is kept, and what has come since. `gap` says that something behind `after` is missing. */
export interface EventPage<Event> {
  readonly events: readonly LoggedEvent<Event>[];
  readonly gap: boolean;
}

/**
 * All that happened, in one order, over restarts. An event is told at once and kept some milliseconds later; what could not be
 * kept becomes a gap that says so. Numbers are set aside on the disk before they are given out, so that no two events ever get
 * one cursor, whenever this process is killed.
 */
export class KeptEventLog<Event extends object> {
  readonly #parts: KeptEventLogParts<Event>;
  readonly #listeners = new Set<(logged: LoggedEvent<Event>) => void>();
  #newest: EventLog<Event>;
  /** The last number that may be given out in this epoch. */
  #reserved: number;
  /** The epoch that the disk knows, and what is set aside there. */
  #marked: string;
  #keptTo: number;
  #flushing: Promise<void> | undefined;
  #retry: Timer | undefined;
  #lost = 0;
  /** Nothing more is kept: the service stops, or has no database any more. */
  #isOver = false;

  constructor(parts: KeptEventLogParts<Event>) {
    const { begun } = parts;
    this.#parts = parts;
    this.#newest = this.#begin(begun.epoch, begun.last);
    this.#reserved = begun.reserved;
    // Where nothing could be set aside, the epoch is one that the disk does not know yet.
    this.#marked = Number.isFinite(begun.reserved) ? begun.epoch : '';
    this.#keptTo = begun.keptTo;
  }

  get epoch(): string {
    return this.#newest.epoch;
  }

  /** The place after everything that has happened so far. */
  get head(): string {
    return this.#newest.head;
  }

  /** How many events of this process could not be kept. */
  get lost(): number {
    return this.#lost;
  }

  append(event: Event): LoggedEvent<Event> {
    // Beyond what is set aside a later process might give the same numbers again.
    if (this.#newest.last >= this.#reserved) this.#renew();
    const logged = this.#newest.append(event);
    for (const listener of [...this.#listeners]) listener(logged);
    this.#keep();
    return logged;
  }

  /** Calls back for each event to come, in order; returns what ends it. */
  follow(listener: (logged: LoggedEvent<Event>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What came after the cursor: all of it, or of what is too much the newest, with a gap before them. */
  async after(cursor: Cursor): Promise<Reading<Event>> {
    const inMemory = this.#newest.after(cursor);
    if (!inMemory.gap || cursor.epoch !== this.epoch || cursor.number > this.#newest.last) return inMemory;
    // Without a database there is still what memory holds.
    return this.#withOlder(cursor.number, inMemory.events).catch(() => inMemory);
  }

  /** A page of history, with what has come just now. */
  async page({ after, before, topics, limit, from }: EventQuery): Promise<EventPage<Event>> {
    return this.#unlocked(() => {
      const { reader, kind } = this.#parts;
      const rows = reader.page({ after, before, topics, limit, from });
      const known = rows.at(-1)?.number ?? after;
      const unkept = this.#newest
        .after({ epoch: this.epoch, number: Math.max(this.#keptTo, known, after) })
        .events.filter(({ number }) => number > after && number < before)
        .filter(({ event }) => {
          const topic = kind.topicOf(event);
          return topic !== undefined && (topics === undefined || topics.includes(topic));
        });
      // A page that is full ends before them.
      const isFull = from === 'oldest' && rows.length === limit;
      const readable = this.#readable(rows);
      const all = isFull ? readable : [...readable, ...unkept];
      const events = from === 'oldest' ? all.slice(0, limit) : all.slice(-limit);
      const upTo = events.at(-1)?.number ?? Math.min(this.#newest.last, before - 1);
      return { events, gap: readable.length < rows.length || reader.hasLost({ after, upTo }) };
    });
  }

  /** Resolves when what was told so far is kept, or the disk has refused it. */
  async kept(): Promise<void> {
    await this.#flushing;
  }

  /** Everything told is kept, and the next process goes on with the next number. What is appended from now on is not kept. */
  async close(): Promise<void> {
    this.#retry?.cancel();
    this.#isOver = true;
    await (this.#flushing ?? this.#flush());
    if (this.#keptTo < this.#newest.last || this.#marked !== this.epoch) return;
    // Whatever is told from now on gets an epoch that nobody keeps.
    this.#reserved = this.#newest.last;
    const mark = { epoch: this.epoch, reserved: this.#reserved };
    await this.#write({ kind: 'events', mark, events: [], keptTo: this.#keptTo }).catch(() => {});
  }

  /** Behind what memory holds comes what the disk has, piece by piece, so that others have their turn. */
  async #withOlder(after: number, inMemory: Reading<Event>['events']): Promise<Reading<Event>> {
    const { reader, limits = eventLogLimits } = this.#parts;
    const last = this.#newest.last - inMemory.length;
    const isAllKept = this.#keptTo >= last;
    const older: LoggedEvent<Event>[] = [];
    let rows: readonly EventRow[];
    let before = last + 1;
    let isReadable = true;
    do {
      const limit = Math.min(rowsAtOnce, limits.events - older.length);
      rows = await this.#unlocked(() => reader.page({ after, before, limit, from: 'newest' }));
      const readable = this.#readable(rows);
      isReadable &&= readable.length === rows.length;
      older.unshift(...readable);
      before = rows[0]?.number ?? before;
      if (rows.length < limit) break;
      await turn();
    } while (older.length < limits.events);
    return this.#unlocked(() => {
      const rest = reader.page({ after, before, limit: 1, from: 'newest' });
      const isAll = rest.length === 0 && !reader.hasLost({ after, upTo: last });
      return { events: [...older, ...inMemory], gap: !(isAll && isAllKept && isReadable) };
    });
  }

  #begin(epoch: string, last: number): EventLog<Event> {
    const { clock, limits } = this.#parts;
    return new EventLog(epoch, () => clock.date(), limits, last);
  }

  /** Its cursors are nobody's yet, so it needs nothing set aside until the disk knows it. */
  #renew(): void {
    this.#newest = this.#begin(this.#parts.newEpoch(), this.#newest.last);
    this.#reserved = Number.POSITIVE_INFINITY;
  }

  /** Those of one turn of the event loop go together. */
  #keep(): void {
    if (this.#flushing !== undefined || this.#retry !== undefined || this.#isOver) return;
    this.#flushing = Promise.resolve().then(() => this.#flush());
  }

  async #flush(): Promise<void> {
    try {
      while (this.#keptTo < this.#newest.last || this.#needsMark()) await this.#keepNext();
    } catch (error) {
      if (error instanceof StoreError && error.isLasting) this.#isOver = true;
      else if (!this.#isOver) this.#tryLater();
    } finally {
      this.#flushing = undefined;
    }
  }

  async #keepNext(): Promise<void> {
    const newest = this.#newest;
    const { events, missed = 0 } = newest.after({ epoch: newest.epoch, number: this.#keptTo });
    const chunk = events.slice(0, eventsAtOnce);
    const keptTo = chunk.at(-1)?.number ?? newest.last;
    const gap = missed > 0 ? { after: this.#keptTo, upTo: this.#keptTo + missed } : undefined;
    const mark = this.#needsMark()
      ? { epoch: newest.epoch, reserved: newest.last + reservedAtOnce }
      : undefined;
    // Until it is known to be set aside, an epoch that the disk may know by now has no more than that.
    if (mark !== undefined && this.#marked !== newest.epoch)
      this.#reserved = Math.min(this.#reserved, mark.reserved);
    const rows = chunk.map((logged) => this.#rowOf(logged)).filter((row) => row !== undefined);
    await this.#write({ kind: 'events', mark, gap, events: rows, keptTo });
    this.#keptTo = keptTo;
    this.#lost += missed;
    if (mark === undefined || newest !== this.#newest) return;
    this.#marked = mark.epoch;
    this.#reserved = mark.reserved;
  }

  #needsMark(): boolean {
    return this.#marked !== this.epoch || this.#reserved - this.#newest.last < reservedAtOnce / 2;
  }

  /** What sets numbers aside must outlive a power cut; events need not. */
  #write(write: EventsWrite): Promise<number> {
    return this.#parts.writer.write(write, write.mark === undefined ? 'late' : 'durable');
  }

  #tryLater(): void {
    this.#retry = this.#parts.clock.after(againMs, () => {
      this.#retry = undefined;
      this.#keep();
    });
  }

  #rowOf({ number, at, event }: LoggedEvent<Event>): EventRow | undefined {
    const topic = this.#parts.kind.topicOf(event);
    return topic === undefined ? undefined : { number, at: at.getTime(), topic, body: JSON.stringify(event) };
  }

  #readable(rows: readonly EventRow[]): LoggedEvent<Event>[] {
    const { epoch } = this;
    return rows.flatMap(({ number, at, body }) => {
      const event = this.#parts.kind.read(readJson(body));
      if (event === undefined) return [];
      return [{ cursor: printCursor({ epoch, number }), number, at: new Date(at), event }];
    });
  }

  /** Reads as soon as the file is not locked. */
  async #unlocked<Found>(read: () => Found): Promise<Found> {
    for (let tries = 1; ; tries += 1) {
      try {
        return read();
      } catch (error) {
        if (sqliteCode(error) !== sqliteCodes.busy || tries === lockedTries) {
          const failure = storeError(failureOf(error));
          this.#parts.failed(failure);
          throw failure;
        }
      }
      await new Promise<void>((over) => this.#parts.clock.after(lockedMs, over));
    }
  }
}
