import { isBlank } from '@steward/shared/blank';
import type { ServerMessage } from '@steward/shared/chat/server-messages';
import { timestampOf } from '@steward/shared/timestamp';
import type { LoggedEvent } from '../game/events/event-log.ts';
import type { BridgeEvent } from '../game/game-bridge.ts';
import type { ChatEvent } from './public-chat.ts';
import { isPublicChat } from './public-chat.ts';
import { textFrame } from './text-frame.ts';

/** Existing bots drop chat of a player without a name; a name can come later than its player's first words. */
const nameless = 'Unknown';

export function frameOf(message: ServerMessage): Buffer {
  return textFrame(JSON.stringify(message));
}

/** The frames of what was said, each made once and kept as long as the log keeps the event. */
export class ChatFrames {
  readonly #made = new WeakMap<LoggedEvent<BridgeEvent>, Buffer>();

  /** Undefined for what is no public chat. */
  of(logged: LoggedEvent<BridgeEvent>): Buffer | undefined {
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
  { playerName, message }: ChatEvent,
  { at, cursor }: Pick<LoggedEvent<BridgeEvent>, 'at' | 'cursor'>,
): ServerMessage {
  const name = isBlank(playerName) ? nameless : playerName;
  return { type: 'chat', payload: { playerName: name, message, timestamp: timestampOf(at), cursor } };
}
