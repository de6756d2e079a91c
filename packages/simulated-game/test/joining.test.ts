import { expect, it } from 'vitest';
import { networkIdOf } from '../src/networks/cross-platform-network.ts';
import { accountOf } from '../src/players/clients.ts';
import { byAddress, byCode, joiningSeconds, testFarm, throughFriends, withServer } from './test-farm.ts';

function stampOf(name: string): string {
  return networkIdOf(accountOf(name).platformId).toString();
}

it.each(['friends', 'S'] as const)('brings a stock client over the relay through %s', (way) => {
  const test = testFarm();
  test.farm.players.called('Abigail', 'stock').join(way === 'S' ? byCode(test, 'S') : throughFriends);
  test.seconds(joiningSeconds);
  const [joined] = test.told('joined');
  expect(joined?.connectionId).toMatch(new RegExp(`^SN_${accountOf('Abigail').platformId}_[0-9]+$`));
  expect(test.farm.slots.find(joined?.farmhandId ?? '')).toMatchObject({
    name: 'Abigail',
    customised: true,
    stamp: stampOf('Abigail'),
  });
});

it.each(['G', 'S', 'friends'] as const)("redirects a test client to the network's transport: %s", (way) => {
  const test = testFarm();
  test.farm.players.called('Sam', 'test').join(way === 'friends' ? throughFriends : byCode(test, way));
  test.seconds(joiningSeconds);
  expect(test.told('joined')).toMatchObject([{ connectionId: `GN_${stampOf('Sam')}` }]);
});

it('takes a stock client with a G code over the network, too', () => {
  const test = testFarm();
  test.farm.players.called('Leah', 'stock').join(byCode(test, 'G'));
  test.seconds(joiningSeconds);
  expect(test.told('joined')).toMatchObject([{ connectionId: `GN_${stampOf('Leah')}` }]);
});

it('knows nobody behind a direct-IP connection, and stamps nothing', () => {
  const test = testFarm();
  test.farm.players.called('Shane', 'direct-ip').join(byAddress);
  test.seconds(joiningSeconds);
  const [joined] = test.told('joined');
  expect(joined?.connectionId).toMatch(/^L_[0-9a-f]{16}$/);
  expect(test.farm.slots.find(joined?.farmhandId ?? '')).toEqual({
    id: joined?.farmhandId,
    name: 'Shane',
    customised: true,
  });
});

it('takes no direct-IP connection unless the settings allow it', () => {
  const test = testFarm({ settings: withServer({ allowIpConnections: false }) });
  test.farm.players.called('Shane', 'direct-ip').join(byAddress);
  expect(test.told('dial-failed')).toMatchObject([{ player: 'Shane' }]);
});

it('gives back their own farmhand to a player who returns through the same door', () => {
  const test = testFarm();
  const player = test.farm.players.called('Abigail', 'stock');
  for (let visit = 0; visit < 3; visit++) {
    player.join(throughFriends);
    test.seconds(joiningSeconds);
    player.leave();
  }
  const joined = test.told('joined');
  expect(new Set(joined.map(({ farmhandId }) => farmhandId)).size).toBe(1);
  expect(joined.map(({ fresh }) => fresh)).toEqual([true, false, false]);
});

it('does not offer a farmhand to its owner who comes through another door', () => {
  const test = testFarm();
  const player = test.farm.players.called('Abigail', 'stock');
  player.join(throughFriends);
  test.seconds(joiningSeconds);
  player.leave();
  player.join(byCode(test, 'G'));
  test.seconds(joiningSeconds);
  const joined = test.told('joined');
  expect(joined[1]?.farmhandId).not.toBe(joined[0]?.farmhandId);
});

it('gives the slot back when a player quits in the middle of creation', () => {
  const test = testFarm();
  test.farm.players.called('Maru', 'test').join(byCode(test, 'G'), { quitInCreation: true });
  test.seconds(joiningSeconds);
  const [joined] = test.told('joined');
  expect(test.told('claim-abandoned')).toEqual([{ type: 'claim-abandoned', farmhandId: joined?.farmhandId }]);
  const slot = test.farm.slots.find(joined?.farmhandId ?? '');
  expect(slot).toEqual({ id: joined?.farmhandId, name: '', customised: false });
});

it('turns everybody away while nobody decides', () => {
  const test = testFarm();
  test.hall.open = false;
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  expect(test.told('joined')).toEqual([]);
  expect(test.told('refused')).toMatchObject([{ reason: 'there is no slot for this player' }]);
});

it('gives a slot to one of two who claim it while the decision is still to come', () => {
  const test = testFarm();
  const decide: (() => void)[] = [];
  const { mayJoin } = test.hall;
  test.hall.mayJoin = (question, answer) => decide.push(() => mayJoin(question, answer));
  const [slot] = test.farm.slots.all;
  for (const name of ['Sam', 'Leah']) {
    test.farm.players.called(name, 'test').join(byCode(test, 'G'), { farmhandId: slot?.id ?? '' });
  }
  test.seconds(5);
  expect(decide).toHaveLength(1);
  for (const answer of decide) answer();
  test.seconds(joiningSeconds);
  expect(test.told('joined')).toHaveLength(1);
});

it('turns away whoever is one too many', () => {
  const test = testFarm({ settings: withServer({ maxPlayers: 2 }) });
  for (const name of ['Abigail', 'Sam', 'Leah']) test.farm.players.called(name, 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  expect(test.told('joined')).toHaveLength(2);
  expect(test.told('refused')).toMatchObject([{ reason: 'the farm is full' }]);
});

it('reserves the fresh slot for the one who was shown it, and builds another for the next', () => {
  const test = testFarm();
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.farm.players.called('Sam', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  expect(new Set(test.told('joined').map(({ farmhandId }) => farmhandId)).size).toBe(2);
});

it('builds a slot for a new player where every fresh one is kept for somebody else', () => {
  const test = testFarm();
  const [kept] = test.farm.slots.all;
  const { visibleSlots } = test.hall;
  test.hall.visibleSlots = ({ connectionId, slots }, answer) =>
    visibleSlots({ connectionId, slots: slots.filter(({ id }) => id !== kept?.id) }, answer);
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  expect(test.told('joined')).toMatchObject([{ farmhandId: expect.not.stringMatching(`^${kept?.id}$`) }]);
});

it('tells where a direct-IP client comes from, the same each time, and of no other', () => {
  const test = testFarm();
  const asked: unknown[] = [];
  const { mayJoin } = test.hall;
  test.hall.mayJoin = (question, answer) => {
    asked.push(question.address);
    mayJoin(question, answer);
  };
  test.farm.players.called('Shane', 'direct-ip').join(byAddress, { address: '198.51.100.7' });
  test.farm.players.called('Emily', 'direct-ip').join(byAddress);
  test.farm.players.called('Abigail', 'stock').join(throughFriends, { address: '198.51.100.7' });
  test.seconds(joiningSeconds);
  expect(asked.toSorted()).toEqual(['198.51.100.7', expect.stringMatching(/^203\.0\.113\./), undefined]);
});

it('shows whoever is kept out what they are told, and builds nothing for them', () => {
  const test = testFarm();
  const cabins = test.farm.slots.all.length;
  test.hall.visibleSlots = (_question, answer) =>
    answer({ ok: true, value: { farmhandIds: [], message: 'You are banned' } });
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  expect(test.told('refused')).toMatchObject([{ reason: 'You are banned' }]);
  expect(test.farm.slots.all).toHaveLength(cabins);
  expect(test.farm.players.find('Abigail')?.whereabouts).toBe('away');
});

it('shows it also where a farmhand is refused that was offered', () => {
  const test = testFarm();
  test.hall.mayJoin = (_question, answer) =>
    answer({ ok: true, value: { decision: 'refuse', message: 'You are banned' } });
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  expect(test.told('refused')).toMatchObject([{ reason: 'You are banned' }]);
});
