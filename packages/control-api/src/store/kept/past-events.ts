import { readJson } from '@steward/service-kit/json';
import { eventLogLimits, type LoggedEvent, printCursor } from '../../game/state/event-log.ts';
import type { EventReader, EventRow } from '../tables/events.ts';
import { type ReadingParts, readUnlocked } from './read-unlocked.ts';

/**
 * After a restart all come back at once and ask for much the same, which is made of its rows once; so is what each door writes of it.
 * It is remembered in two heaps, the newer and the older, each of as much as anybody is told at once: those too who come while there
 * is more find it, else each would hold it all for itself. A heap is dropped once nobody can be in the middle of it any more.
 */
const remembered = { ...eventLogLimits, ms: 30_000 } as const;

/** What the log has to know of its events. */
export interface EventKind<Event> {
  /** What readers choose by; undefined for what is told and not kept. */
  readonly topicOf: (event: Event) => string | undefined;
  /** Undefined for what no event of this version says. */
  readonly read: (body: unknown) => Event | undefined;
}

export interface PastEventsParts<Event> extends ReadingParts {
  readonly kind: EventKind<Event>;
}

export type PastReader = Pick<EventReader, 'page' | 'hasLost' | 'lastBefore'>;

/** Where there is no database there are none, and something is always missing. */
export const nothingKept: PastReader = { page: () => [], hasLost: () => true, lastBefore: () => 0 };

/** Events as they were kept, read again. */
export class PastEvents<Event> {
  readonly #parts: PastEventsParts<Event>;
  /** By their cursors. */
  #newer = new Map<string, LoggedEvent<Event>>();
  #older = new Map<string, LoggedEvent<Event>>();
  #begunAt = Number.NEGATIVE_INFINITY;
  #bytes = 0;
  #reader = nothingKept;

  constructor(parts: PastEventsParts<Event>) {
    this.#parts = parts;
  }

  open(reader: PastReader): void {
    this.#reader = reader;
  }

  /** Reads as soon as the file is not locked. */
  read<Found>(read: (reader: PastReader) => Found): Promise<Found> {
    return readUnlocked(this.#parts, () => read(this.#reader));
  }

  /** Those that this version knows how to read. */
  eventsOf(rows: readonly EventRow[], epoch: string): LoggedEvent<Event>[] {
    return rows.map((row) => this.eventOf(row, epoch)).filter((each) => each !== undefined);
  }

  /** Undefined for what this version does not know how to read. */
  eventOf({ number, at, body }: EventRow, epoch: string): LoggedEvent<Event> | undefined {
    const cursor = printCursor({ epoch, number });
    this.#forget();
    const known = this.#newer.get(cursor) ?? this.#older.get(cursor);
    if (known !== undefined) return known;
    const event = this.#parts.kind.read(readJson(body));
    if (event === undefined) return undefined;
    const logged = { cursor, number, at: new Date(at), event };
    this.#remember(logged, body.length);
    return logged;
  }

  #remember(logged: LoggedEvent<Event>, bytes: number): void {
    const { size } = this.#newer;
    if (size === remembered.events || (size > 0 && this.#bytes + bytes > remembered.bytes)) this.#begin();
    this.#newer.set(logged.cursor, logged);
    this.#bytes += bytes;
  }

  #forget(): void {
    const age = this.#parts.clock.now() - this.#begunAt;
    if (age < remembered.ms) return;
    this.#begin();
    if (age >= 2 * remembered.ms) this.#older = new Map();
  }

  #begin(): void {
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#bytes = 0;
    this.#begunAt = this.#parts.clock.now();
  }
}
