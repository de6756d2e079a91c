import type { Timer } from '@steward/service-kit/clock';
import {
  type Cursor,
  EventLog,
  type EventLogLimits,
  type EventPage,
  type Events,
  eventLogLimits,
  type LoggedEvent,
  type PageAsked,
  type Reading,
} from '../../game/state/event-log.ts';
import {
  type Begun,
  type EventMark,
  type EventRow,
  type EventsWrite,
  reservedAtOnce,
} from '../tables/events.ts';
import { StoreError } from '../tables/store-error.ts';
import type { Writer } from '../writing/writer.ts';
import { EventPages } from './event-pages.ts';
import { PastEvents, type PastEventsParts, type PastReader } from './past-events.ts';

/** One transaction has so many events at most, so that what waits behind it does not wait long. */
const eventsAtOnce = 1_000;
/** Before what could not be kept is tried again. */
const againMs = 1_000;

export interface KeptEventLogParts<Event extends object> extends PastEventsParts<Event> {
  /** Of what takes the place of an epoch whose numbers cannot be set aside any more. */
  readonly newEpoch: () => string;
  /** Of what memory holds: the newest, which most readers ask for, and those that wait for the disk. */
  readonly limits?: EventLogLimits;
}

/** Where the log is kept. */
export interface OpenedLog {
  readonly writer: Pick<Writer, 'write'>;
  readonly reader: PastReader;
  /** Told of each mark that the disk knows, before any number of it is given out; of the last one before the disk knows it. */
  readonly marks: (mark: EventMark) => void;
  readonly lowers: (mark: EventMark) => Promise<boolean>;
}

const nowhere: OpenedLog['writer'] = {
  write: () => Promise.reject(new StoreError('closed', 'there is no database')),
};

/**
 * All that happened, in one order, over restarts. An event is told at once and kept some milliseconds later; what could not be
 * kept becomes a gap that says so. Numbers are set aside on the disk before they are given out, so that no two events ever get
 * one cursor, whenever this process is killed. Before it is opened, and where there is no database, memory is all that there is.
 */
export class KeptEventLog<Event extends object> implements Events<Event> {
  readonly #parts: KeptEventLogParts<Event>;
  readonly #listeners = new Set<(logged: LoggedEvent<Event>) => void>();
  readonly #past: PastEvents<Event>;
  readonly #pages: EventPages<Event>;
  #writer = nowhere;
  #marks: OpenedLog['marks'] = () => {};
  #lowers: OpenedLog['lowers'] = async () => false;
  #newest: EventLog<Event>;
  /** The last number that may be given out in this epoch. */
  #reserved = Number.POSITIVE_INFINITY;
  /** The epoch that the disk knows, and what is set aside there. */
  #marked = '';
  #keptTo = 0;
  #flushing: Promise<void> | undefined;
  #retry: Timer | undefined;
  #kept = 0;
  #lost = 0;
  /** Nothing is kept: there is no database yet, or none any more, or the service stops. */
  #isOver = true;

  constructor(parts: KeptEventLogParts<Event>) {
    this.#parts = parts;
    this.#past = new PastEvents(parts);
    this.#pages = new EventPages({
      past: this.#past,
      kind: parts.kind,
      most: parts.limits ?? eventLogLimits,
      present: () => ({ newest: this.#newest, keptTo: this.#keptTo }),
    });
    this.#newest = this.#begin(parts.newEpoch(), 0);
  }

  /** How many events have been told before it was opened. */
  get told(): number {
    return this.#newest.last;
  }

  /**
   * From now on it is kept, and goes on from where an earlier process left it. Whatever has happened before is in no reader's reach
   * any more, and a gap for each: its numbers are of another epoch.
   */
  open({ writer, reader, marks, lowers }: OpenedLog, begun: Begun): void {
    this.#writer = writer;
    this.#marks = marks;
    this.#lowers = lowers;
    this.#past.open(reader);
    this.#newest = this.#begin(begun.epoch, begun.last);
    this.#reserved = begun.reserved;
    // Where nothing could be set aside, the epoch is one that the disk does not know yet.
    this.#marked = Number.isFinite(begun.reserved) ? begun.epoch : '';
    this.#keptTo = begun.keptTo;
    this.#isOver = false;
  }

  get epoch(): string {
    return this.#newest.epoch;
  }

  get head(): string {
    return this.#newest.head;
  }

  get counts(): { readonly kept: number; readonly lost: number } {
    return { kept: this.#kept, lost: this.#lost };
  }

  append(event: Event): LoggedEvent<Event> {
    // Beyond what is set aside a later process might give the same numbers again.
    if (this.#newest.last >= this.#reserved) this.#renew();
    const logged = this.#newest.append(event);
    for (const listener of [...this.#listeners]) listener(logged);
    if (this.#isOver) this.#lost += 1;
    else this.#keep();
    return logged;
  }

  follow(listener: (logged: LoggedEvent<Event>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  recent(cursor: Cursor): Reading<Event> {
    return this.#newest.after(cursor);
  }

  async after(cursor: Cursor, isWanted?: () => boolean): Promise<Reading<Event>> {
    return await this.#pages.after(cursor, isWanted);
  }

  async page(asked: PageAsked): Promise<EventPage<Event>> {
    return await this.#pages.page(asked);
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
    // Where the disk does not have it, the next process goes on behind what was set aside.
    if (!(await this.#lowers(mark))) return;
    await this.#write({ kind: 'events', mark, events: [], keptTo: this.#keptTo }).catch(() => {});
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
    if (this.#flushing !== undefined || this.#retry !== undefined) return;
    this.#flushing = Promise.resolve().then(() => this.#flush());
  }

  async #flush(): Promise<void> {
    try {
      while (this.#keptTo < this.#newest.last || this.#needsMark()) await this.#keepNext();
    } catch (error) {
      if (error instanceof StoreError && error.isLasting) this.#end();
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
    this.#kept += rows.length;
    this.#lost += missed;
    if (mark === undefined || newest !== this.#newest) return;
    this.#marks(mark);
    this.#marked = mark.epoch;
    this.#reserved = mark.reserved;
  }

  /** What waits for the disk waits in vain. */
  #end(): void {
    if (!this.#isOver) this.#lost += this.#newest.last - this.#keptTo;
    this.#isOver = true;
  }

  #needsMark(): boolean {
    return this.#marked !== this.epoch || this.#reserved - this.#newest.last < reservedAtOnce / 2;
  }

  /** What sets numbers aside must outlive a power cut; events need not. */
  #write(write: EventsWrite): Promise<number> {
    return this.#writer.write(write, write.mark === undefined ? 'late' : 'durable');
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
}
