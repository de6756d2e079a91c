import { stringifyExact } from '@steward/service-kit/json';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { keptTopicNames, topicOf } from '@steward/shared/events/event-types';
import { shownEvent, shownGap, showsIdentities } from '@steward/shared/events/shown-event';
import type { LoggedEvent } from '../game/state/event-log.ts';

/** Where readers of lines in some languages end one, though neither JSON nor Server-Sent Events do. */
const otherLineEnds = /[\u0085\u2028\u2029]/g;

export type Told = LoggedEvent<StewardEvent>;

/** What doors show of an event, as JSON on one line. What is told now is told by all of them at once, so the last is remembered. */
export class EventTexts {
  readonly #instance: string;
  #last: Told | undefined;
  readonly #made: [plain?: string, identified?: string] = [];

  /** What the server is called; empty where it has no name. */
  constructor(instance: string) {
    this.#instance = instance;
  }

  of(logged: Told, seesIdentities: boolean): string {
    if (logged !== this.#last) {
      this.#made.length = 0;
      this.#last = logged;
    }
    const which = seesIdentities ? 1 : 0;
    this.#made[which] ??= onOneLine(
      stringifyExact(shownEvent(logged.event, logged, seesIdentities, this.#instance)),
    );
    return this.#made[which];
  }

  gap(place: Pick<Told, 'at' | 'cursor'>): string {
    return stringifyExact(shownGap(place, this.#instance));
  }
}

/** The same JSON, in which no reader finds a second line. */
function onOneLine(json: string): string {
  return json.replace(otherLineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * How a door writes an event, of which `text` is what all of them show. In memory of its own: a piece of Node's pool would keep all
 * 64 KB of it for as long as it is kept.
 */
export type Encode = (logged: Told, text: () => string) => Buffer;

/** Of so many of the newest events they are kept: what happens now, and what most who come back have missed. */
const mostKept = 1_000;

/** What goes over the wire of one door: made once for all who are told of an event now, and anew for who comes back later. */
export class EventFrames {
  readonly #texts: EventTexts;
  readonly #encode: Encode;
  readonly #plain = new Map<Told, Buffer>();
  readonly #identified = new Map<Told, Buffer>();
  #newest = 0;

  constructor(texts: EventTexts, encode: Encode) {
    this.#texts = texts;
    this.#encode = encode;
  }

  of(logged: Told, seesIdentities: boolean): Buffer {
    const shows = seesIdentities && showsIdentities(logged.event.type);
    const made = shows ? this.#identified : this.#plain;
    const known = made.get(logged);
    if (known !== undefined) return known;
    const frame = this.#encode(logged, () => this.#texts.of(logged, shows));
    this.#newest = Math.max(this.#newest, logged.number);
    // What is no more than told, such as `state.changed`, is another object for each who hears it, under a number of the log.
    if (this.#isNew(logged) && keptTopicNames.includes(topicOf(logged.event.type))) made.set(logged, frame);
    this.#forgetOld();
    return frame;
  }

  /** The log keeps ten times as many events: kept for all of these, the frames of all doors take more memory than they do. */
  #isNew({ number }: Told): boolean {
    return number > this.#newest - mostKept;
  }

  /** By age, too: where few ask, they would stay for hours, and their events with them, which the log has let go. */
  #forgetOld(): void {
    for (const made of [this.#plain, this.#identified])
      for (const logged of made.keys()) {
        if (made.size <= mostKept && this.#isNew(logged)) break;
        made.delete(logged);
      }
  }
}
