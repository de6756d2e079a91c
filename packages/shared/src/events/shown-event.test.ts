import { expect, it } from 'vitest';
import type { StewardEvent } from './event-data.ts';
import { shownEventSchema } from './event-schema.ts';
import { eventTypeNames, topicNames, topicOf } from './event-types.ts';
import { shownEvent, shownGap, showsIdentities } from './shown-event.ts';

const place = { at: new Date('2026-11-22T19:00:00.000Z'), cursor: 'k3f9x-42' };
const told = { at: '2026-11-22T19:00:00.000Z', cursor: 'k3f9x-42' };
const joined: StewardEvent = {
  type: 'players.joined',
  data: {
    playerId: '620826087702429092',
    playerName: 'Ann',
    door: 'network-p2p',
    connectionId: 'GN_46265193014',
  },
};

it('shows ids as exact numbers with their twins, and identities to those alone who may see them', () => {
  const forAll = {
    playerId: 620826087702429092n,
    playerIdStr: '620826087702429092',
    playerName: 'Ann',
    door: 'network-p2p',
  };
  expect(shownEvent(joined, place, false)).toEqual({ type: 'players.joined', ...told, data: forAll });
  expect(shownEvent(joined, place, true).data).toEqual({ ...forAll, connectionId: 'GN_46265193014' });
});

it('shows what its schema describes', () => {
  for (const seesIdentities of [true, false]) {
    const shown = shownEvent(joined, place, seesIdentities);
    expect(shownEventSchema.parse(shown)).toEqual(shown);
  }
  const gap = shownGap(place);
  expect(shownEventSchema.parse(gap)).toEqual(gap);
  expect(gap.type).toBe('gap');
});

it('says which server it is of where that has a name, of a gap, too', () => {
  expect(shownEvent(joined, place, false, 'willow')).toMatchObject({ ...told, instance: 'willow' });
  const gap = shownGap(place, 'willow');
  expect(shownEventSchema.parse(gap)).toEqual({ type: 'gap', ...told, instance: 'willow', data: {} });
  expect(shownGap(place)).not.toHaveProperty('instance');
});

it('shows an id where there is one', () => {
  const ended = { operationId: '7', command: 'setTime', state: 'applied' } as const;
  const without: StewardEvent = { type: 'operations.ended', data: ended };
  const whose: StewardEvent = { type: 'operations.ended', data: { ...ended, playerId: '-42' } };
  expect(shownEvent(without, place, false).data).toEqual(ended);
  expect(shownEvent(whose, place, false).data).toEqual({ ...ended, playerId: -42n, playerIdStr: '-42' });
  for (const event of [without, whose])
    expect(shownEventSchema.safeParse(shownEvent(event, place, false)).success).toBe(true);
});

it('knows the topic of each type, and tells something of each topic', () => {
  expect(new Set(eventTypeNames.map(topicOf))).toEqual(new Set(topicNames));
});

it('knows which events show identities to those who may see them', () => {
  expect(eventTypeNames.filter(showsIdentities)).toEqual([
    'players.joined',
    'players.left',
    'players.refused',
    'players.turnedAway',
    'players.banned',
    'players.unbanned',
    'players.allowed',
    'players.disallowed',
    'farmhands.bound',
    'game.crashed',
  ]);
});
