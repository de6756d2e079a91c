import { accepted, type Parsed } from '@steward/shared/parsed';
import { parseCursor, printCursor } from '../game/events/cursor.ts';
import type { EventLog } from '../game/events/event-log.ts';
import type { BridgeEvent } from '../game/game-bridge.ts';
import type { ChatFrames } from './chat-frames.ts';

/** What a client missed between a cursor and the moment from which it hears live. */
export interface Past {
  readonly frames: readonly Buffer[];
  readonly gap: boolean;
  readonly cursor: string;
}

export class CatchUp {
  readonly #log: EventLog<BridgeEvent>;
  readonly #frames: ChatFrames;

  constructor(log: EventLog<BridgeEvent>, frames: ChatFrames) {
    this.#log = log;
    this.#frames = frames;
  }

  /** The number of the last event. */
  get head(): number {
    const head = parseCursor(this.#log.head);
    return head.ok ? head.value.number : 0;
  }

  /** Up to and with the event `joinedAt`: what came after it the client has heard, and hears nothing twice. */
  read(cursor: string | undefined, joinedAt: number): Parsed<Past> {
    const place = printCursor({ epoch: this.#log.epoch, number: joinedAt });
    if (cursor === undefined) return accepted({ frames: [], gap: false, cursor: place });
    const parsed = parseCursor(cursor);
    if (!parsed.ok) return parsed;
    const { events, gap } = this.#log.after(parsed.value);
    const frames: Buffer[] = [];
    for (const logged of events) {
      if (logged.number > joinedAt) break;
      const frame = this.#frames.of(logged);
      if (frame !== undefined) frames.push(frame);
    }
    return accepted({ frames, gap, cursor: place });
  }
}
