import type { GameEvent } from '@steward/shared/bridge/events';
import { linkStatus } from '@steward/shared/bridge/protocol';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { describe, expect, it } from 'vitest';
import { eventOfGame, eventOfLink, keptEvents } from './bridge-events.ts';

const person = { playerId: '18446744073709551', playerName: 'Ann' };
const slot = { farmhandId: '-42', name: 'Ann' };
const named = { playerId: '-42', playerName: 'Ann' };
const date = { day: 3, season: 'spring', year: 1 } as const;
const lobbyId = '109775241001034568';

const told: readonly (readonly [topic: string, game: GameEvent, event: StewardEvent])[] = [
  [
    'chat',
    { kind: 'chat', ...person, message: 'good morning' },
    { type: 'chat.said', data: { ...person, message: 'good morning' } },
  ],
  [
    'players',
    { kind: 'playerJoined', ...person, connectionId: 'GN_46265193014' },
    { type: 'players.joined', data: { ...person, door: 'network-p2p', connectionId: 'GN_46265193014' } },
  ],
  [
    'players',
    { kind: 'playerLeft', ...person, connectionId: '' },
    { type: 'players.left', data: { ...person, door: 'unknown', connectionId: '' } },
  ],
  ['farm', { kind: 'dayStarted', ...date }, { type: 'farm.dayStarted', data: date }],
  ['farm', { kind: 'dayEnded', ...date }, { type: 'farm.dayEnded', data: date }],
  ['farm', { kind: 'saved', saveGeneration: 4 }, { type: 'farm.saved', data: { saveGeneration: 4 } }],
  ['farmhands', { kind: 'slotCustomized', ...slot }, { type: 'farmhands.customized', data: named }],
  [
    'farmhands',
    { kind: 'slotAbandoned', farmhandId: '7' },
    { type: 'farmhands.abandoned', data: { playerId: '7' } },
  ],
  ['farmhands', { kind: 'slotDeleted', ...slot }, { type: 'farmhands.deleted', data: named }],
  ['invites', { kind: 'networkSignedIn' }, { type: 'invites.networkSignedIn', data: {} }],
  [
    'invites',
    { kind: 'networkSignedOut', why: 'the network went' },
    { type: 'invites.networkSignedOut', data: { reason: 'the network went' } },
  ],
  ['invites', { kind: 'lobbyOpened', lobbyId }, { type: 'invites.lobbyOpened', data: { lobbyId } }],
  [
    'invites',
    { kind: 'lobbyClosed', lobbyId, why: 'it was empty' },
    { type: 'invites.lobbyClosed', data: { lobbyId, reason: 'it was empty' } },
  ],
];

describe('what the game tells', () => {
  it.each(told)('is kept under %s and read again as it was: %o', (topic, game, event) => {
    expect(eventOfGame(game)).toEqual(event);
    expect(keptEvents.topicOf(event)).toBe(topic);
    expect(keptEvents.read(JSON.parse(JSON.stringify(event)))).toEqual(event);
  });

  it.each([' !login hunter2', '  '])('in the chat that is for nobody else is not kept: %o', (message) => {
    expect(keptEvents.topicOf({ type: 'chat.said', data: { ...person, message } })).toBeUndefined();
  });
});

describe('how the game stands', () => {
  it('is an event of its own for each status', () => {
    const statuses = linkStatus.exclude(['live']).options;
    const types = statuses.map((status) => eventOfLink(status, { reason: '' }).type);
    expect(new Set(types).size).toBe(statuses.length);
  });
});
