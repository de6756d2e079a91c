import type { ServerMessage } from '@steward/shared/chat/server-messages';
import { isBlank } from '@steward/shared/text';
import { timestampOf } from '@steward/shared/wire-values';
import type { Encode, Told } from '../events/event-frames.ts';
import { type ChatEvent, isPublicChat } from '../game/bridge-events.ts';

/** Existing bots drop chat of a player without a name; a name can come later than its player's first words. */
const nameless = 'Unknown';

export function frameOf(message: ServerMessage): Buffer {
  return textFrame(JSON.stringify(message));
}

/** How `/ws` tells what happens: what players say as it always did, whatever else as all doors do. */
export const encodeForSockets: Encode = (logged, text) =>
  isPublicChat(logged.event) ? frameOf(chatMessage(logged.event, logged)) : encodeAsEvents(logged, text);

/** The same, where the chat is a topic like others. */
export const encodeAsEvents: Encode = (_logged, text) => textFrame(`{"type":"event","payload":${text()}}`);

function chatMessage(
  { data: { playerName, message } }: ChatEvent,
  { at, cursor }: Pick<Told, 'at' | 'cursor'>,
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
