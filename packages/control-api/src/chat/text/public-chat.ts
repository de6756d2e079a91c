import type { BridgeEvent } from '../../bridge/game-bridge.ts';

export type ChatEvent = Extract<BridgeEvent, { kind: 'chat' }>;

/** What may leave the game. A text that begins with `!` is a command, and may be a password. */
export function isPublicChat(event: BridgeEvent): event is ChatEvent {
  if (event.kind !== 'chat') return false;
  const text = event.message.trimStart();
  return text !== '' && !text.startsWith('!');
}
