import { cursorGrammar } from '@steward/shared/events/event-types';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';

/** How much is kept for readers who were away: whichever is reached first. */
export const eventLogLimits = { events: 10_000, bytes: 8 * 1024 * 1024 } as const;

/** So many events that have gone may still be in memory. */
const goneAtMost = 1_000;

export type EventLogLimits = { readonly [Name in keyof typeof eventLogLimits]: number };

export interface LoggedEvent<Event> {
  readonly cursor: string;
  readonly number: number;
  readonly at: Date;
  readonly event: Event;
}

/** What a reader gets. `missed` counts those that are gone for good; across epochs nobody can count, and it is absent. */
export interface Reading<Event> {
  readonly events: readonly LoggedEvent<Event>[];
  readonly gap: boolean;
  readonly missed?: number;
}

/** What is asked for of the log. A time stands for the place before what happened from then on. */
export interface PageAsked {
  /** Behind this, the oldest first; without it the newest. */
  readonly after?: Cursor | Date | undefined;
  /** Before the event of this cursor, or before this time. */
  readonly before?: Cursor | Date | undefined;
  /** All of them where none are named. */
  readonly topics?: readonly string[] | undefined;
  readonly limit: number;
}

/** A page of what is kept, with what has come just now, in its order. */
export interface EventPage<Event> {
  readonly events: readonly LoggedEvent<Event>[];
  /** Something of what was asked for is missing, or the place was none of this log. */
  readonly gap: boolean;
  /** The place behind the page. */
  readonly cursor: string;
}

/** All that happens, in one order, for who tells of it and who listens. */
export interface Events<Event extends object> {
  readonly epoch: string;
  /** The place after everything that has happened so far. */
  readonly head: string;
  /** How many events of this process are kept over restarts, and how many could not be. */
  readonly counts: { readonly kept: number; readonly lost: number };
  append(event: Event): LoggedEvent<Event>;
  /** Calls back for each event to come, in order; returns what ends it. */
  follow(listener: (logged: LoggedEvent<Event>) => void): () => void;
  /** What came after the cursor, as far as memory holds it. */
  recent(cursor: Cursor): Reading<Event>;
  /**
   * What came after the cursor, as far as it is kept anywhere: all of it, or of what is too much the newest, with a gap before them. It is
   * looked for as long as somebody wants it.
   */
  after(cursor: Cursor, isWanted?: () => boolean): Promise<Reading<Event>>;
  /** Rejects where the disk cannot be read for a moment: whoever asks again misses nothing. */
  page(asked: PageAsked): Promise<EventPage<Event>>;
}

interface Kept<Event> {
  readonly logged: LoggedEvent<Event>;
  readonly bytes: number;
}

/** The newest of what happened, in memory, numbered within an epoch. Bounded: the oldest go first. */
export class EventLog<Event extends object> {
  readonly epoch: string;
  readonly #now: () => Date;
  readonly #limits: EventLogLimits;
  #kept: Kept<Event>[] = [];
  #first = 0;
  #bytes = 0;
  #last: number;

  /** `last` is the number of the last event before this log began. */
  constructor(epoch: string, now: () => Date, limits: EventLogLimits = eventLogLimits, last = 0) {
    this.epoch = epoch;
    this.#now = now;
    this.#limits = limits;
    this.#last = last;
  }

  append(event: Event): LoggedEvent<Event> {
    this.#last += 1;
    const number = this.#last;
    const logged = { cursor: printCursor({ epoch: this.epoch, number }), number, at: this.#now(), event };
    const bytes = JSON.stringify(event).length;
    this.#kept.push({ logged, bytes });
    this.#bytes += bytes;
    this.#dropOldest();
    return logged;
  }

  /** The place after everything that has happened so far. */
  get head(): string {
    return printCursor({ epoch: this.epoch, number: this.#last });
  }

  /** The number of the last event so far. */
  get last(): number {
    return this.#last;
  }

  /** Whatever has a greater number is here. */
  get heldAfter(): number {
    return this.#last - this.#length;
  }

  /** What came after the cursor, as far as it is still kept. */
  after(cursor: Cursor): Reading<Event> {
    if (cursor.epoch !== this.epoch || cursor.number > this.#last)
      return { events: this.#from(0), gap: true };
    const missed = Math.max(0, this.heldAfter - cursor.number);
    return {
      events: this.#from(Math.max(0, cursor.number - this.heldAfter)),
      gap: missed > 0,
      missed,
    };
  }

  get #length(): number {
    return this.#kept.length - this.#first;
  }

  #from(index: number): LoggedEvent<Event>[] {
    return this.#kept.slice(this.#first + index).map(({ logged }) => logged);
  }

  #dropOldest(): void {
    while (this.#length > this.#limits.events || (this.#bytes > this.#limits.bytes && this.#length > 1)) {
      this.#bytes -= this.#kept[this.#first]?.bytes ?? 0;
      this.#first += 1;
    }
    // Copying the rest now and then costs less than shifting each time; until then what has gone is still in memory.
    if (this.#first * 2 > this.#kept.length || this.#first >= goneAtMost) {
      this.#kept = this.#kept.slice(this.#first);
      this.#first = 0;
    }
  }
}

/** A place in the event log. */
export interface Cursor {
  readonly epoch: string;
  readonly number: number;
}

export function parseCursor(text: string): Parsed<Cursor> {
  const match = cursorGrammar.exec(text);
  const [, epoch, number] = match ?? [];
  if (epoch === undefined || number === undefined) return refused('is not a cursor from this server');
  return accepted({ epoch, number: Number(number) });
}

export function printCursor({ epoch, number }: Cursor): string {
  return `${epoch}-${number}`;
}
