import type { GameEvent } from '@steward/shared/bridge/events';
import type { FarmEvent } from '../events/farm-event.ts';
import type { Farm } from '../farm/farm.ts';

/** What of the farm's history leaves the farm. Private chat and commands to the game never do. */
export function eventOnBridge(event: FarmEvent, farm: Farm): GameEvent | undefined {
  switch (event.type) {
    case 'chat':
      return chat(event);
    case 'joined':
      return person('playerJoined', event.farmhandId, knownName(event.farmhandId, farm), event.connectionId);
    case 'left':
      return person('playerLeft', event.farmhandId, event.name, event.connectionId);
    case 'day-started':
      return { kind: 'dayStarted', day: event.day, season: event.season, year: event.year };
    case 'day-ended':
      return { kind: 'dayEnded', day: event.day, season: event.season, year: event.year };
    case 'saved':
      return { kind: 'saved', saveGeneration: event.generation };
    case 'named':
      if (!event.customised) return undefined;
      return { kind: 'slotCustomized', farmhandId: event.farmhandId, name: event.name };
    case 'claim-abandoned':
      return { kind: 'slotAbandoned', farmhandId: event.farmhandId };
    case 'farmhand-deleted':
      return { kind: 'slotDeleted', farmhandId: event.farmhandId, name: event.name };
    default:
      return networkEvent(event);
  }
}

function networkEvent(event: FarmEvent): GameEvent | undefined {
  switch (event.type) {
    case 'network-signed-in':
      return { kind: 'networkSignedIn' };
    case 'network-signed-out':
      return { kind: 'networkSignedOut', why: event.reason };
    case 'lobby-opened':
      return { kind: 'lobbyOpened', lobbyId: event.rawId };
    case 'lobby-closed':
      return { kind: 'lobbyClosed', lobbyId: event.rawId, why: event.reason };
    default:
      return undefined;
  }
}

function chat(event: Extract<FarmEvent, { type: 'chat' }>): GameEvent | undefined {
  if (event.kind !== 'public' || event.farmhandId === undefined) return undefined;
  return {
    kind: 'chat',
    playerId: event.farmhandId,
    playerName: event.author,
    message: event.message,
  };
}

function person(
  kind: 'playerJoined' | 'playerLeft',
  playerId: string,
  playerName: string,
  connectionId: string,
): GameEvent {
  return { kind, playerId, playerName, connectionId };
}

function knownName(farmhandId: string, farm: Farm): string {
  return farm.sessions.of(farmhandId)?.knownName ?? '';
}
