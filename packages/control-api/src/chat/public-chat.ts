import { isBlank } from '@steward/shared/blank';
import { isChatCommand } from '@steward/shared/chat/chat-command';
import type { BridgeEvent } from '../game/game-bridge.ts';

export type ChatEvent = Extract<BridgeEvent, { kind: 'chat' }>;

/** What may leave the game. Bots show what they hear to others. */
export function isPublicChat(event: BridgeEvent): event is ChatEvent {
  if (event.kind !== 'chat') return false;
  return !isBlank(event.message) && !isChatCommand(event.message);
}
