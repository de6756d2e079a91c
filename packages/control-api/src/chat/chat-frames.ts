import type { ServerMessage } from '@steward/shared/chat/server-messages';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { accepted, type Parsed } from '@steward/shared/parsed';
import { isBlank } from '@steward/shared/text';
import { timestampOf } from '@steward/shared/wire-values';
import { type ChatEvent, isPublicChat } from '../game/bridge-events.ts';
import { type Events, type LoggedEvent, parseCursor, type Reading } from '../game/events/event-log.ts';

/** Existing bots drop chat of a player without a name; a name can come later than its player's first words. */
const nameless = 'Unknown';

export function frameOf(message: ServerMessage): Buffer {
  return textFrame(JSON.stringify(message));
}

/** The frames of what was said, each made once and kept as long as the log keeps the event. */
export class ChatFrames {
  readonly #made = new WeakMap<LoggedEvent<StewardEvent>, Buffer>();

  /** Undefined for what is no public chat. */
  of(logged: LoggedEvent<StewardEvent>): Buffer | undefined {
    const { event } = logged;
    if (!isPublicChat(event)) return undefined;
    const known = this.#made.get(logged);
    if (known !== undefined) return known;
    const frame = frameOf(chatMessage(event, logged));
    this.#made.set(logged, frame);
    return frame;
  }
}

function chatMessage(
  { data: { playerName, message } }: ChatEvent,
  { at, cursor }: Pick<LoggedEvent<StewardEvent>, 'at' | 'cursor'>,
): ServerMessage {
  const name = isBlank(playerName) ? nameless : playerName;
  return { type: 'chat', payload: { playerName: name, message, timestamp: timestampOf(at), cursor } };
}

const finalText = 0x81;
const longestShort = 125;
const sixteenBits = 126;
const sixtyFourBits = 127;
const largestSixteenBits = 0xffff;

/** A whole unmasked text frame (RFC 6455 §5.2), as a server sends it: made once, written to any number of sockets. */
function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const head = bytes <= longestShort ? 2 : bytes <= largestSixteenBits ? 4 : 10;
  const frame = Buffer.allocUnsafeSlow(head + bytes);
  frame[0] = finalText;
  if (head === 2) frame[1] = bytes;
  else if (head === 4) {
    frame[1] = sixteenBits;
    frame.writeUInt16BE(bytes, 2);
  } else {
    frame[1] = sixtyFourBits;
    frame.writeBigUInt64BE(BigInt(bytes), 2);
  }
  frame.write(text, head);
  return frame;
}

/** What a client missed between a cursor and the moment from which it hears live. */
export interface Past {
  readonly frames: readonly Buffer[];
  readonly gap: boolean;
  readonly cursor: string;
}

export class CatchUp {
  readonly #log: Events<StewardEvent>;
  readonly #frames: ChatFrames;

  constructor(log: Events<StewardEvent>, frames: ChatFrames) {
    this.#log = log;
    this.#frames = frames;
  }

  /** The place after the last event. */
  get head(): string {
    return this.#log.head;
  }

  /**
   * Up to and with the place `joinedAt`: what came after it the client has heard, and hears nothing twice. What memory does not
   * reach takes a while.
   */
  read(cursor: string | undefined, joinedAt: string): Parsed<Past | Promise<Past>> {
    if (cursor === undefined) return accepted({ frames: [], gap: false, cursor: joinedAt });
    const parsed = parseCursor(cursor);
    if (!parsed.ok) return parsed;
    const recent = this.#log.recent(parsed.value);
    if (!recent.gap) return accepted(this.#past(recent, joinedAt));
    return accepted(this.#log.after(parsed.value).then((reading) => this.#past(reading, joinedAt)));
  }

  #past({ events, gap }: Reading<StewardEvent>, joinedAt: string): Past {
    const joined = parseCursor(joinedAt);
    // Since the log has begun another stretch nobody can tell what of it came before.
    if (!joined.ok || joined.value.epoch !== this.#log.epoch)
      return { frames: [], gap: true, cursor: joinedAt };
    const frames: Buffer[] = [];
    for (const logged of events) {
      if (logged.number > joined.value.number) break;
      const frame = this.#frames.of(logged);
      if (frame !== undefined) frames.push(frame);
    }
    return { frames, gap, cursor: joinedAt };
  }
}
