import { readJson } from '@steward/service-kit/json';
import { eventLogLimits, type LoggedEvent, printCursor } from '../game/events/event-log.ts';
import type { EventReader, EventRow } from './events.ts';
import { type ReadingParts, readUnlocked } from './read-unlocked.ts';

/**
 * After a restart all come back at once and ask for much the same, which is made of its rows once; so is what each door writes of it.
 * Enough for the most that anybody is told, for those too who come while there is more: else each would hold it all for itself.
 */
const remembered = { events: 2 * eventLogLimits.events, bytes: 2 * eventLogLimits.bytes } as const;

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
  readonly #remembered = new Map<string, LoggedEvent<Event>>();
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
    const known = this.#remembered.get(cursor);
    if (known !== undefined) return known;
    const event = this.#parts.kind.read(readJson(body));
    if (event === undefined) return undefined;
    const logged = { cursor, number, at: new Date(at), event };
    this.#remember(logged, body.length);
    return logged;
  }

  #remember(logged: LoggedEvent<Event>, bytes: number): void {
    const { size } = this.#remembered;
    if (size === remembered.events || (size > 0 && this.#bytes + bytes > remembered.bytes)) {
      this.#remembered.clear();
      this.#bytes = 0;
    }
    this.#remembered.set(logged.cursor, logged);
    this.#bytes += bytes;
  }
}
