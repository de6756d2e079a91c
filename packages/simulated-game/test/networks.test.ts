import { expect, it } from 'vitest';
import { byCode, joiningSeconds, testFarm, throughFriends } from './test-farm.ts';
import { TownHall, ticketKey } from './town-hall.ts';

it('asks for friends-only at both sites, and opens the lobby that it is told to open', () => {
  const test = testFarm();
  expect(test.hall.asked.filter((question) => question.startsWith('lobby'))).toEqual([
    'lobbyVisibility platform friends-only',
    'lobbyVisibility network friends-only',
  ]);
  expect(test.told('lobby-opened')).toMatchObject([{ asked: 'friends-only', visibility: 'public' }]);
});

it('lets nobody in by code when the lobby is friends-only after all', () => {
  const hall = new TownHall();
  hall.lobbyVisibility = ({ requested }, answer) => answer({ ok: true, value: requested });
  const test = testFarm({ hall });
  test.farm.players.called('Sam', 'test').join(byCode(test, 'G'));
  expect(test.told('dial-failed')).toMatchObject([
    { reason: "the lobby is friends-only, and its host is nobody's friend" },
  ]);
});

it('has no lobby without a ticket, says why, and gets there by itself once there is one', () => {
  const hall = new TownHall();
  hall.loggedIn = false;
  const test = testFarm({ hall });
  expect(test.farm.hosting.networkState.network).toEqual({
    signedIn: false,
    why: 'no app ticket: the sidecar is not logged in',
  });
  hall.loggedIn = true;
  test.seconds(30);
  expect(test.farm.hosting.networkState.network).toMatchObject({
    signedIn: true,
    lobby: { visibility: 'public' },
  });
});

it.each([
  ['another key', Buffer.alloc(32, 1), 'the app ticket is not encrypted with the key of this app'],
  ['no key', undefined, 'the network has no key to verify app tickets with; set FARM_TICKET_KEY'],
])('signs nobody in with %s', (_name, key, why) => {
  const test = testFarm({ key });
  expect(test.farm.hosting.networkState.network).toEqual({ signedIn: false, why });
});

it('listens on the relay under an anonymous id, another one after every crash', () => {
  const test = testFarm();
  const ids = [0, 1, 2].map(() => {
    test.farm.crash();
    return test.farm.hosting.networkState.relay.serverId;
  });
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^90[0-9]{15}$/);
});

it('keeps lobby and codes through an outage, with the relay’s players and without the others', () => {
  const test = testFarm();
  const { lobby } = test.farm.hosting;
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.farm.players.called('Sam', 'test').join(byCode(test, 'G'));
  test.seconds(joiningSeconds);
  test.farm.faults.start('network-outage', 60_000);
  expect(test.farm.sessions.all.map(({ connectionId }) => connectionId.slice(0, 3))).toEqual(['SN_']);
  expect(test.farm.hosting.networkState.network).toMatchObject({ signedIn: false, lobby: {} });
  test.farm.players.find('Sam')?.join(byCode(test, 'G'));
  expect(test.told('dial-failed')).toMatchObject([
    { reason: 'the cross-platform network cannot be reached' },
  ]);
  const tickets = test.hall.asked.filter((question) => question === 'appTicket').length;
  test.seconds(61);
  expect(test.farm.hosting.lobby).toEqual(lobby);
  expect(test.farm.hosting.networkState.network.signedIn).toBe(true);
  expect(test.hall.asked.filter((question) => question === 'appTicket')).toHaveLength(tickets);
  test.farm.players.find('Sam')?.join(byCode(test, 'G'));
  test.seconds(joiningSeconds);
  expect(test.farm.sessions.count).toBe(2);
});

it('makes another lobby when it loses one; the old code leads nowhere', () => {
  const test = testFarm();
  const old = byCode(test, 'G');
  test.farm.hosting.loseLobby('the network dropped the lobby');
  test.farm.players.called('Sam', 'test').join(old);
  expect(test.told('dial-failed')).toMatchObject([{ reason: 'the network knows no such lobby' }]);
  test.seconds(30);
  expect(byCode(test, 'G')).not.toEqual(old);
  expect(test.told('lobby-closed')).toHaveLength(1);
});

it('takes its lobby down with it when it crashes', () => {
  const test = testFarm();
  const old = byCode(test, 'G');
  test.farm.crash();
  test.farm.players.called('Sam', 'test').join(old);
  expect(test.told('dial-failed')).toMatchObject([{ reason: 'the network knows no such lobby' }]);
});

it('shows nobody the way over the relay before the lobby leads to a platform lobby', () => {
  const test = testFarm();
  test.farm.hosting.link(undefined);
  for (const door of [throughFriends, byCode(test, 'S')]) {
    test.farm.players.called('Abigail', 'stock').join(door);
  }
  expect(test.told('dial-failed').map(({ reason }) => reason)).toEqual([
    'there is no platform lobby that leads to the farm',
    'there is no platform lobby that leads to the farm',
  ]);
});

it('reopens after a restart with another lobby, from the same seed too', () => {
  const first = testFarm({ seed: 'same', key: ticketKey });
  const second = testFarm({ seed: 'same', saves: first.saves });
  expect(second.farm.hosting.lobby?.rawId).not.toBe(first.farm.hosting.lobby?.rawId);
  expect(second.farm.world.state.farmId).toBe(first.farm.world.state.farmId);
});
