import type { Event, Farmhands } from '@steward/client';
import { expect, it } from 'vitest';
import { identitiesSeen, isFree, keptOut, ownerOf, peopleOf } from '../src/views/players/people.ts';

const slot = { name: '', isCustomized: false, isOnline: false, isAdmin: false };
const farmhand = (id: bigint, more: object = {}) => ({ ...slot, id, idStr: String(id), ...more });
const farmhandsOf = (...all: ReturnType<typeof farmhand>[]): Farmhands => ({ farmhands: all, version: 1 });

let count = 0;
function happened(type: string, data: object): Event {
  count += 1;
  return {
    type,
    at: `2026-11-22T10:00:${String(count).padStart(2, '0')}.000Z`,
    cursor: `a-${count}`,
    data,
  } as Event;
}

const came = (id: bigint, playerName: string, connectionId?: string) =>
  happened('players.joined', { playerId: id, playerName, door: 'network-p2p', connectionId });

it('puts who is here first, farmhands by their names then, and free slots last', () => {
  const farmhands = farmhandsOf(
    farmhand(1n),
    farmhand(2n, { name: 'Zoe', isCustomized: true }),
    farmhand(3n, { name: 'Ann', isCustomized: true }),
    farmhand(4n, { name: 'Mia', isCustomized: true, isOnline: true }),
  );
  const players = { players: [{ id: 9n, idStr: '9', name: 'New', isOnline: true }], version: 1 };
  const people = peopleOf(players, farmhands, [came(4n, 'Mia')]);
  expect(people.map(({ name }) => name)).toEqual(['Mia', 'New', 'Ann', 'Zoe', '']);
  expect(people.map(isFree)).toEqual([false, false, false, false, true]);
  expect(people[0]).toMatchObject({ id: '4', door: 'network-p2p', since: expect.any(String) });
});

it('knows when somebody left, and that those who came again are here', () => {
  const farmhands = farmhandsOf(farmhand(3n, { name: 'Ann', isCustomized: true }));
  const left = happened('players.left', { playerId: 3n, playerName: 'Ann', door: 'network-p2p' });
  const gone = peopleOf(undefined, farmhands, [came(3n, 'Ann'), left]);
  expect(gone[0]).toMatchObject({ left: left.at, since: undefined });
});

it.each([
  ['unknown', {}],
  ['nobody', { owned: false, released: false }],
  ['released', { owned: false, released: true }],
  ['platform', { owned: true, released: false, ownedBy: 'platform', origin: 'claim' }],
  ['operator', { owned: true, released: false, ownedBy: 'platform', origin: 'operator' }],
] as const)('says of an owner: %s', (said, facts) => {
  expect(ownerOf({ id: '1', name: 'Ann', isOnline: false, ...facts })).toBe(said);
});

it('lists who was kept out once each, the newest first, and offers the ids that were seen', () => {
  const refused = (id: bigint | undefined) =>
    happened('players.refused', {
      ...{ playerId: 3n, playerName: 'Ann', door: 'network-p2p', reason: 'it belongs to another' },
      ...(id === undefined ? {} : { identity: { space: 'network', id } }),
    });
  const events = [refused(77n), came(4n, 'Mia', 'GN_88'), refused(78n), refused(77n), refused(undefined)];
  expect(keptOut(events).map(({ identity }) => identity)).toEqual([undefined, '77', '78']);
  expect(identitiesSeen([...events, came(5n, 'Bo', 'L_1'), came(6n, 'Jo', 'SN_99_27016')])).toEqual([
    ['99', 'Jo'],
    ['77', 'network'],
    ['78', 'network'],
    ['88', 'Mia'],
  ]);
});

it.each([
  ['rebind', 'POST /farmhands/rebind with this playerId and the identity of the refused player', true],
  ['release', 'POST /farmhands/release with this playerId', true],
  ['lifting a ban', 'DELETE /bans with id=row_5b1f0c9a7d24 lifts the ban', false],
  ['the allowlist', 'POST /allowlist with the identity, the address or the player adds them', false],
  ['nothing', undefined, false],
])('says of who was kept out whether giving them the farmhand lets them in: %s', (_by, remedy, isSo) => {
  const event = happened('players.refused', {
    ...{ playerId: 3n, playerName: 'Ann', door: 'network-p2p', reason: 'a reason' },
    ...(remedy === undefined ? {} : { remedy }),
    identity: { space: 'network', id: 77n },
  });
  expect(keptOut([event])).toMatchObject([{ identity: '77', isLetInAsOwner: isSo }]);
});

it('lists those, too, who were refused before they saw a farmhand, as by a ban, and offers their ids', () => {
  const turnedAway = (reason: string, id: bigint | undefined) =>
    happened('players.turnedAway', {
      ...{ door: 'network-p2p', reason },
      ...(id === undefined ? {} : { identity: { space: 'network', id } }),
    });
  const [notAllowed, banned] = ['they are not on the allowlist', 'they are banned (row_5b1f0c9a7d24)'];
  const events = [
    ...[turnedAway(notAllowed, 77n), turnedAway(banned, 78n), turnedAway(notAllowed, 77n)],
    ...[turnedAway(notAllowed, undefined), turnedAway(banned, undefined), turnedAway(notAllowed, undefined)],
  ];
  expect(keptOut(events)).toMatchObject([
    { farmhandId: undefined, reason: notAllowed, identity: undefined, isLetInAsOwner: false },
    { farmhandId: undefined, reason: banned, identity: undefined, isLetInAsOwner: false },
    { farmhandId: undefined, reason: notAllowed, identity: '77', isLetInAsOwner: false },
    { farmhandId: undefined, reason: banned, identity: '78', isLetInAsOwner: false },
  ]);
  expect(identitiesSeen(events)).toEqual([
    ['77', 'network'],
    ['78', 'network'],
  ]);
});
