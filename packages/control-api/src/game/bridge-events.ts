import type { GameEvent } from '@steward/shared/bridge/events';
import type { LinkStatus } from '@steward/shared/bridge/protocol';
import { isChatCommand } from '@steward/shared/chat/line';
import { joinPathOf } from '@steward/shared/connection-id';
import { type EventOf, readEvent, type StewardEvent } from '@steward/shared/events/event-data';
import { type Topic, topicOf } from '@steward/shared/events/event-types';
import { isBlank } from '@steward/shared/text';
import { isConnected } from './state/bridge-state.ts';

export type ChatEvent = EventOf<'chat.said'>;

/** What may leave the game, and be kept. Bots show what they hear to others. */
export function isPublicChat(event: StewardEvent): event is ChatEvent {
  return event.type === 'chat.said' && !isBlank(event.data.message) && !isChatCommand(event.data.message);
}

/** How events are kept, and read again by this version or a later one. */
export const keptEvents = {
  topicOf: (event: StewardEvent): Topic | undefined =>
    event.type === 'chat.said' && !isPublicChat(event) ? undefined : topicOf(event.type),
  read: readEvent,
};

/** What the game tells, in the words of everything that happens. */
export function eventOfGame(event: GameEvent): StewardEvent {
  switch (event.kind) {
    case 'chat': {
      const { playerId, playerName, message } = event;
      return { type: 'chat.said', data: { playerId, playerName, message } };
    }
    case 'playerJoined':
      return { type: 'players.joined', data: visitorOf(event) };
    case 'playerLeft':
      return { type: 'players.left', data: visitorOf(event) };
    case 'dayStarted':
      return { type: 'farm.dayStarted', data: dateOf(event) };
    case 'dayEnded':
      return { type: 'farm.dayEnded', data: dateOf(event) };
    case 'saved':
      return { type: 'farm.saved', data: { saveGeneration: event.saveGeneration } };
    case 'slotCustomized':
      return { type: 'farmhands.customized', data: { playerId: event.farmhandId, playerName: event.name } };
    case 'slotAbandoned':
      return { type: 'farmhands.abandoned', data: { playerId: event.farmhandId } };
    case 'slotDeleted':
      return { type: 'farmhands.deleted', data: { playerId: event.farmhandId, playerName: event.name } };
    case 'networkSignedIn':
      return { type: 'invites.networkSignedIn', data: {} };
    case 'networkSignedOut':
      return { type: 'invites.networkSignedOut', data: { reason: event.why } };
    case 'lobbyOpened':
      return { type: 'invites.lobbyOpened', data: { lobbyId: event.lobbyId } };
    case 'lobbyClosed':
      return { type: 'invites.lobbyClosed', data: { lobbyId: event.lobbyId, reason: event.why } };
  }
}

/** How the game stands from now on, and how it stood before. */
export function eventOfLink(
  before: LinkStatus,
  now: LinkStatus,
  data: EventOf<'game.connected'>['data'],
): StewardEvent {
  if (now === 'live') return { type: isConnected(before) ? 'game.recovered' : 'game.connected', data };
  return { type: linkTypes[now], data };
}

const linkTypes = {
  starting: 'game.starting',
  waiting: 'game.waiting',
  slow: 'game.slow',
  frozen: 'game.frozen',
  gone: 'game.lost',
  restarting: 'game.crashed',
  stopped: 'game.stopped',
} as const satisfies Record<Exclude<LinkStatus, 'live'>, StewardEvent['type']>;

type Visiting = Extract<GameEvent, { kind: 'playerJoined' | 'playerLeft' }>;

function visitorOf({ playerId, playerName, connectionId }: Visiting): EventOf<'players.joined'>['data'] {
  return { playerId, playerName, door: joinPathOf(connectionId)?.path ?? 'unknown', connectionId };
}

function dateOf({ day, season, year }: Extract<GameEvent, { kind: 'dayStarted' | 'dayEnded' }>) {
  return { day, season, year };
}
