import { setImmediate as turn } from 'node:timers/promises';
import {
  type Cursor,
  type EventLog,
  type EventLogLimits,
  type EventPage,
  type LoggedEvent,
  type PageAsked,
  printCursor,
  type Reading,
} from '../../game/state/event-log.ts';
import type { EventRow } from '../tables/events.ts';
import { StoreError } from '../tables/store-error.ts';
import { type EventKind, nothingKept, type PastEvents, type PastReader } from './past-events.ts';

/** Read in one turn of the event loop. */
const rowsAtOnce = 500;

/** The end of the log that is in memory, and up to where the disk has it. */
interface Present<Event extends object> {
  readonly newest: EventLog<Event>;
  readonly keptTo: number;
}

export interface EventPagesParts<Event extends object> {
  readonly past: PastEvents<Event>;
  readonly kind: Pick<EventKind<Event>, 'topicOf'>;
  /** As much is read back at once, beside what memory holds; of bytes a piece more. */
  readonly most: EventLogLimits;
  readonly present: () => Present<Event>;
}

/** What readers ask for of the log: what memory holds, and behind it what the disk has. */
export class EventPages<Event extends object> {
  readonly #parts: EventPagesParts<Event>;
  /** Settled when who asked last has had its turn. */
  #turns: Promise<unknown> = Promise.resolve();

  constructor(parts: EventPagesParts<Event>) {
    this.#parts = parts;
  }

  async after(cursor: Cursor, isWanted = () => true): Promise<Reading<Event>> {
    const { newest } = this.#parts.present();
    const inMemory = newest.after(cursor);
    if (!inMemory.gap || isStrange(cursor, newest)) return inMemory;
    const whole = await this.#withOlder(cursor.number, inMemory.events, isWanted).catch((error: unknown) => {
      // It is kept, so nobody is told that it is lost.
      if (isBusy(error)) throw error;
      // Without a database there is still what memory holds.
      return inMemory;
    });
    // Opened meanwhile, the disk has other events by these numbers.
    return cursor.epoch === this.#parts.present().newest.epoch ? whole : inMemory;
  }

  async page(asked: PageAsked): Promise<EventPage<Event>> {
    const { past, present } = this.#parts;
    const { after } = asked;
    const { newest, keptTo } = present();
    // Who follows asks for what has come just now, again and again.
    if (isCursor(after) && after.number >= Math.max(newest.heldAfter, keptTo))
      return this.#pageOf(nothingKept, asked);
    return await past
      .read((reader) => this.#pageOf(reader, asked))
      .catch((error: unknown) => {
        if (isBusy(error)) throw error;
        return this.#pageOf(nothingKept, asked);
      });
  }

  #pageOf(reader: PastReader, { after, before, topics, limit }: PageAsked): EventPage<Event> {
    const { past, present } = this.#parts;
    const { newest, keptTo } = present();
    const { epoch, last, head, heldAfter } = newest;
    const isLost = isCursor(after) && isStrange(after, newest);
    if (isCursor(before) && isStrange(before, newest)) return { events: [], gap: true, cursor: head };
    // A copy, so that it is only as long as it must be: many who follow ask in the same moment.
    const heldBehind = (number: number) =>
      newest.after({ epoch, number: Math.max(heldAfter, Math.min(number, last)) }).events;
    const placeOf = (place: Cursor | Date): number =>
      isCursor(place)
        ? place.number
        : (heldBehind(heldAfter).findLast(({ at }) => at < place)?.number ??
          reader.lastBefore(place.getTime()));
    const isNewest = after === undefined;
    const low = isLost ? heldAfter : isNewest ? 0 : placeOf(after);
    const upTo = before === undefined ? last : Math.min(last, placeOf(before) - Number(isCursor(before)));

    const isKept = reader !== nothingKept;
    const rows = reader.page({
      after: low,
      before: upTo + 1,
      topics,
      limit,
      from: isNewest ? 'newest' : 'oldest',
    });
    // Of what was kept the disk alone knows what is left; it may have more by now than anybody has said.
    const known = isKept ? Math.max(keptTo, rows.at(-1)?.number ?? low) : low;
    const found: { readonly number: number; readonly logged: LoggedEvent<Event> | undefined }[] = [
      ...rows.map((row) => ({ number: row.number, logged: past.eventOf(row, epoch) })),
      ...heldBehind(known)
        .filter(({ number, event }) => number <= upTo && this.#isOf(topics, event))
        .map((logged) => ({ number: logged.number, logged })),
    ];
    const shown = isNewest ? found.slice(-limit) : found.slice(0, limit);
    const events = shown.flatMap(({ logged }) => logged ?? []);

    // A page that is full says nothing of what lies beyond it.
    const isFull = shown.length === limit;
    const first = isFull && isNewest ? (shown[0]?.number ?? low) : low;
    const end = isFull && !isNewest ? (shown.at(-1)?.number ?? upTo) : Math.max(upTo, low);
    const isGone = first < heldAfter && keptTo < heldAfter && keptTo < end;
    const isWhole = !isKept && first >= heldAfter && (isFull || !isNewest);
    const isMissing = isLost || isGone || events.length < shown.length;
    return {
      events,
      gap: isMissing || (!isWhole && reader.hasLost({ after: first, upTo: end })),
      cursor: printCursor({ epoch, number: end }),
    };
  }

  /** One piece is read in each turn of the event loop, however many ask. */
  #turn(): Promise<unknown> {
    this.#turns = this.#turns.then(() => turn());
    return this.#turns;
  }

  #isOf(topics: PageAsked['topics'], event: Event): boolean {
    const topic = this.#parts.kind.topicOf(event);
    return topic !== undefined && (topics === undefined || topics.includes(topic));
  }

  /** Behind what memory holds comes what the disk has, piece by piece, so that others have their turn. */
  async #withOlder(
    after: number,
    inMemory: Reading<Event>['events'],
    isWanted: () => boolean,
  ): Promise<Reading<Event>> {
    const { past, most, present } = this.#parts;
    const { newest, keptTo } = present();
    const last = newest.last - inMemory.length;
    const isAllKept = keptTo >= last;
    const older: LoggedEvent<Event>[] = [];
    let rows: readonly EventRow[];
    let before = last + 1;
    let isReadable = true;
    let bytes = 0;
    do {
      await this.#turn();
      // Whoever comes and goes again and again would have as much looked for, and held, as there is time for.
      if (!isWanted()) return { events: inMemory, gap: true };
      const limit = Math.min(rowsAtOnce, most.events - older.length);
      rows = await past.read((reader) => reader.page({ after, before, limit, from: 'newest' }));
      const readable = past.eventsOf(rows, newest.epoch);
      isReadable &&= readable.length === rows.length;
      older.unshift(...readable);
      before = rows[0]?.number ?? before;
      for (const { body } of rows) bytes += body.length;
      if (rows.length < limit) break;
    } while (older.length < most.events && bytes < most.bytes);
    return past.read((reader) => {
      const rest = reader.page({ after, before, limit: 1, from: 'newest' });
      const isAll = rest.length === 0 && !reader.hasLost({ after, upTo: last });
      return { events: [...older, ...inMemory], gap: !(isAll && isAllKept && isReadable) };
    });
  }
}

function isCursor(place: Cursor | Date | undefined): place is Cursor {
  return place !== undefined && !(place instanceof Date);
}

/** Of another stretch of the log, or of one that has not happened. */
function isStrange(
  { epoch, number }: Cursor,
  log: { readonly epoch: string; readonly last: number },
): boolean {
  return epoch !== log.epoch || number > log.last;
}

/** Another program has the database, or the disk hangs: whoever asks again misses nothing. */
function isBusy(error: unknown): boolean {
  return error instanceof StoreError && error.failure === 'busy';
}
