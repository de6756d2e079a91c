import type { StewardEvent } from '@steward/shared/events/event-data';
import { type Cursor, type Events, parseCursor, printCursor, type Reading } from '../game/state/event-log.ts';
import type { Told } from './event-frames.ts';

/** What somebody missed between a cursor and the place that it has come to by itself. */
export interface Past {
  readonly frames: readonly Buffer[];
  readonly gap: boolean;
  /** The place before all that is still to be had. */
  readonly from: string;
  /** The place after it. */
  readonly cursor: string;
}

/** What of the past somebody wants, as it is written for them; undefined for the rest. */
export type Wanted = (logged: Told) => Buffer | undefined;

/** Finds what somebody missed. */
export class CatchUp {
  readonly #log: Events<StewardEvent>;

  constructor(log: Events<StewardEvent>) {
    this.#log = log;
  }

  /** The place after the last event. */
  get head(): string {
    return this.#log.head;
  }

  /**
   * What came behind the cursor, up to and with the place `upTo`, from which on it is heard live: nothing is told twice. What memory
   * does not reach takes a while, and what is wanted is asked when it has come. It is looked for as long as the reader is there.
   */
  read(cursor: Cursor, upTo: string, wanted: Wanted, isThere: () => boolean): Past | Promise<Past> {
    const recent = this.#log.recent(cursor);
    if (!recent.gap) return this.#past(recent, upTo, wanted);
    return this.#log.after(cursor, isThere).then((reading) => this.#past(reading, upTo, wanted));
  }

  #past({ events, gap }: Reading<StewardEvent>, upTo: string, wanted: Wanted): Past {
    const last = parseCursor(upTo);
    // Since the log has begun another stretch nobody can tell what of it came before.
    if (!last.ok || last.value.epoch !== this.#log.epoch)
      return { frames: [], gap: true, from: upTo, cursor: upTo };
    const frames: Buffer[] = [];
    for (const logged of events) {
      if (logged.number > last.value.number) break;
      const frame = wanted(logged);
      if (frame !== undefined) frames.push(frame);
    }
    const { epoch, number } = last.value;
    const first = events[0]?.number ?? Number.POSITIVE_INFINITY;
    return { frames, gap, from: printCursor({ epoch, number: Math.min(first - 1, number) }), cursor: upTo };
  }
}
