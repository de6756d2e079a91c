import { describe, expect, it } from 'vitest';
import { type BridgeEvent, bridgeEvents } from './bridge-events.ts';

const person = { playerId: '18446744073709551', playerName: 'Ann' };
const slot = { farmhandId: '-42', name: 'Ann' };
const date = { day: 3, season: 'spring', year: 1 } as const;

const kept: readonly (readonly [topic: string, event: BridgeEvent])[] = [
  ['chat', { kind: 'chat', ...person, message: 'good morning' }],
  ['players', { kind: 'playerJoined', ...person, connectionId: 'GN_46265193014' }],
  ['players', { kind: 'playerLeft', ...person, connectionId: '' }],
  ['farm', { kind: 'dayStarted', ...date }],
  ['farm', { kind: 'dayEnded', ...date }],
  ['farm', { kind: 'saved', saveGeneration: 4 }],
  ['farmhands', { kind: 'slotCustomized', ...slot }],
  ['farmhands', { kind: 'slotAbandoned', farmhandId: '7' }],
  ['farmhands', { kind: 'slotDeleted', ...slot }],
  ['invites', { kind: 'networkSignedIn' }],
  ['invites', { kind: 'networkSignedOut', why: 'the network went' }],
  ['invites', { kind: 'lobbyOpened', lobbyId: '109775241001034568' }],
  ['invites', { kind: 'lobbyClosed', lobbyId: '109775241001034568', why: 'it was empty' }],
  ['invites', { kind: 'inviteWay', step: 'ticket', from: 'ok', to: 'lost', reason: 'it ended' }],
  ['invites', { kind: 'inviteCodes', network: 'G1' }],
  ['game', { kind: 'link', status: 'live', why: 'it is connected' }],
];

describe('an event', () => {
  it.each(kept)('is kept under %s and read again as it was: %o', (topic, event) => {
    expect(bridgeEvents.topicOf(event)).toBe(topic);
    expect(bridgeEvents.read(JSON.parse(JSON.stringify(event)))).toEqual(event);
  });

  it.each([' !login hunter2', '  '])('of the chat that is for nobody else is not kept: %o', (message) => {
    expect(bridgeEvents.topicOf({ kind: 'chat', ...person, message })).toBeUndefined();
  });

  it.each([undefined, {}, { kind: 'sneezed' }, { kind: 'link', status: 'asleep', why: '' }])(
    'that this version does not know is not read: %o',
    (body) => {
      expect(bridgeEvents.read(body)).toBeUndefined();
    },
  );
});
