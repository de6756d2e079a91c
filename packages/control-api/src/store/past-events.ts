import type { Clock } from '@steward/service-kit/clock';
import { readJson } from '@steward/service-kit/json';
import { type LoggedEvent, printCursor } from '../game/events/event-log.ts';
import { sqliteCode, sqliteCodes } from './database.ts';
import type { EventReader, EventRow } from './events.ts';
import { failureOf, type StoreError, storeError } from './store-error.ts';

/** A reader of a rollback journal finds the file locked for as long as a change takes. */
const lockedMs = 5;
const lockedTries = 400;

/** After a restart all come back at once and ask for much the same, which is made of its rows once. */
const rememberedEvents = 2_000;

/** What the log has to know of its events. */
export interface EventKind<Event> {
  /** What readers choose by; undefined for what is told and not kept. */
  readonly topicOf: (event: Event) => string | undefined;
  /** Undefined for what no event of this version says. */
  readonly read: (body: unknown) => Event | undefined;
}

export interface PastEventsParts<Event> {
  readonly kind: EventKind<Event>;
  readonly clock: Clock;
  /** Told of what reading meets. */
  readonly failed: (error: StoreError) => void;
}

export type PastReader = Pick<EventReader, 'page' | 'hasLost'>;

const nothing: PastReader = { page: () => [], hasLost: () => true };

/** Events as they were kept, read again. Where there is no database there are none, and something is always missing. */
export class PastEvents<Event> {
  readonly #parts: PastEventsParts<Event>;
  /** By their cursors. */
  readonly #remembered = new Map<string, LoggedEvent<Event>>();
  #reader = nothing;

  constructor(parts: PastEventsParts<Event>) {
    this.#parts = parts;
  }

  open(reader: PastReader): void {
    this.#reader = reader;
  }

  /** Reads as soon as the file is not locked. */
  async read<Found>(read: (reader: PastReader) => Found): Promise<Found> {
    for (let tries = 1; ; tries += 1) {
      try {
        return read(this.#reader);
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

  /** Those that this version knows how to read. */
  eventsOf(rows: readonly EventRow[], epoch: string): LoggedEvent<Event>[] {
    return rows.map((row) => this.#eventOf(row, epoch)).filter((each) => each !== undefined);
  }

  #eventOf({ number, at, body }: EventRow, epoch: string): LoggedEvent<Event> | undefined {
    const cursor = printCursor({ epoch, number });
    const remembered = this.#remembered.get(cursor);
    if (remembered !== undefined) return remembered;
    const event = this.#parts.kind.read(readJson(body));
    if (event === undefined) return undefined;
    const logged = { cursor, number, at: new Date(at), event };
    if (this.#remembered.size === rememberedEvents) this.#remembered.clear();
    this.#remembered.set(cursor, logged);
    return logged;
  }
}
