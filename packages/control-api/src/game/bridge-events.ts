import { isForReaders } from '@steward/shared/api/answers/operations';
import type { GameEvent } from '@steward/shared/bridge/events';
import type { LinkStatus } from '@steward/shared/bridge/protocol';
import { isChatCommand } from '@steward/shared/chat/line';
import { joinPathOf } from '@steward/shared/connection-id';
import { type EventOf, readEvent, type StewardEvent } from '@steward/shared/events/event-data';
import { type Topic, topicOf } from '@steward/shared/events/event-types';
import type { Trouble } from '@steward/shared/problems/trouble';
import { isBlank } from '@steward/shared/text';
import type { Operation, OperationCommandName } from './operations/operation.ts';
import { remedyOf } from './state/bridge-state.ts';

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

/** How the game stands from now on; of one that is live, whoever says so knows whether it has only come. */
export function eventOfLink(
  status: Exclude<LinkStatus, 'live'>,
  { reason, remedy: given }: Trouble,
  type: StandingType = linkTypes[status],
): StewardEvent {
  const remedy = remedyOf({ status, remedy: given });
  return { type, data: { reason, ...(remedy === undefined ? {} : { remedy }) } };
}

/** Of a game that is started here and ended by itself: with what it said last. */
export function eventOfCrash(trouble: Trouble, lastLines: readonly string[]): StewardEvent {
  const { data } = eventOfLink('restarting', trouble) as EventOf<'game.crashed'>;
  const last = lastLines.length === 0 ? {} : { lastLines: [...lastLines] };
  return { type: 'game.crashed', data: { ...data, ...last } };
}

type StandingType = (typeof linkTypes)[keyof typeof linkTypes];

const linkTypes = {
  starting: 'game.starting',
  waiting: 'game.waiting',
  slow: 'game.slow',
  frozen: 'game.frozen',
  gone: 'game.lost',
  restarting: 'game.crashed',
  stopped: 'game.stopped',
} as const satisfies Record<Exclude<LinkStatus, 'live'>, StewardEvent['type']>;

/** Chat lines are told of themselves, and the others nobody asks for: what comes of them is told where it counts. */
const untold: ReadonlySet<OperationCommandName> = new Set(['sendChat', 'linkLobby', 'clearStamp']);

/** How a change has ended that somebody asked for; undefined while it has not, and for the steps of another. */
export function eventOfOperation({
  id,
  command,
  state,
  why,
  outcome,
  partOf,
}: Operation): StewardEvent | undefined {
  if (state === 'pending' || state === 'claimed' || partOf !== undefined || untold.has(command))
    return undefined;
  const ended = { operationId: id, command, state };
  if (!isForReaders(command)) return { type: 'operations.ended', data: ended };
  const reason = outcome?.outcome === 'refused' ? outcome.message : why;
  const subject = outcome?.outcome === 'applied' ? outcome.subject : undefined;
  const data = {
    ...ended,
    ...(reason === undefined ? {} : { reason }),
    ...(subject === undefined ? {} : { playerId: subject.id, playerName: subject.name }),
  };
  return { type: 'operations.ended', data };
}

/** Whom a command has sent away, by whomever it was given. */
export function kickedBy({ command, state, outcome }: Operation): StewardEvent | undefined {
  if (command !== 'kick' || state !== 'applied' || outcome?.outcome !== 'applied') return undefined;
  const { subject } = outcome;
  if (subject === undefined) return undefined;
  return { type: 'players.kicked', data: { playerId: subject.id, playerName: subject.name } };
}

type Visiting = Extract<GameEvent, { kind: 'playerJoined' | 'playerLeft' }>;

function visitorOf({ playerId, playerName, connectionId }: Visiting): EventOf<'players.joined'>['data'] {
  return { playerId, playerName, door: joinPathOf(connectionId)?.path ?? 'unknown', connectionId };
}

function dateOf({ day, season, year }: Extract<GameEvent, { kind: 'dayStarted' | 'dayEnded' }>) {
  return { day, season, year };
}
