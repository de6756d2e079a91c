import { expect, it } from 'vitest';
import { byAddress, byCode, joiningSeconds, testFarm, throughFriends, withServer } from './test-farm.ts';

it('is known by name only once the name has arrived, late when names are late', () => {
  const test = testFarm();
  test.farm.faults.start('late-names', 600_000);
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.seconds(joiningSeconds - 10);
  const [session] = test.farm.sessions.all;
  expect([session?.knownName, session?.creating]).toEqual(['', true]);
  test.seconds(80);
  expect([session?.knownName, session?.creating]).toEqual(['Abigail', false]);
});

it('gives several players one name when names are duplicate', () => {
  const test = testFarm();
  test.farm.faults.start('duplicate-names', 600_000);
  for (const name of ['Abigail', 'Sam']) test.farm.players.called(name, 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  expect(test.farm.sessions.all.map(({ knownName }) => knownName)).toEqual(['Robin', 'Robin']);
});

it('is refused a farmhand that belongs to somebody else, whatever the client declares', () => {
  const test = testFarm();
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  test.farm.players.find('Abigail')?.leave();
  const [slot] = test.farm.slots.all.filter(({ customised }) => customised);
  const thief = test.farm.players.called('Sam', 'test');
  thief.join(byCode(test, 'G'), { farmhandId: slot?.id ?? '', declaredStamp: slot?.stamp ?? '' });
  test.seconds(joiningSeconds);
  expect(test.hall.asked).toContain('mayJoin');
  expect(test.told('joined')).toHaveLength(1);
  expect(thief.whereabouts).toBe('away');
});

it('falls back on its own comparison of stamps where the steward leaves it to the game', () => {
  const test = testFarm();
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.seconds(joiningSeconds);
  test.farm.players.find('Abigail')?.leave();
  test.hall.mayJoin = (_question, answer) => answer({ ok: true, value: { decision: 'game-decides' } });
  const farmhandId = test.told('joined')[0]?.farmhandId ?? '';
  test.farm.players.called('Sam', 'test').join(byCode(test, 'G'), { farmhandId });
  test.seconds(joiningSeconds);
  expect(test.told('joined')).toHaveLength(1);
  test.farm.players.find('Abigail')?.join(throughFriends);
  test.seconds(joiningSeconds);
  expect(test.told('joined')).toHaveLength(2);
});

it('lets newcomers onto fresh slots where the steward leaves it to the game', () => {
  const test = testFarm();
  test.hall.mayJoin = (_question, answer) => answer({ ok: true, value: { decision: 'game-decides' } });
  test.farm.players.called('Abigail', 'stock').join(throughFriends);
  test.farm.players.called('Sam', 'test').join(byCode(test, 'G'));
  test.seconds(joiningSeconds);
  expect(test.told('joined')).toHaveLength(2);
});

it('tells public chat apart from private words and from commands, however they are spaced', () => {
  const test = testFarm();
  const player = test.farm.players.called('Abigail', 'stock');
  player.join(throughFriends);
  player.say('nobody hears me yet');
  test.seconds(joiningSeconds);
  player.say('hello');
  player.say('psst', true);
  player.say('  !invitecode');
  player.say('   ');
  const chat = test.told('chat');
  expect(chat.map(({ kind, message }) => [kind, message])).toEqual([
    ['public', 'hello'],
    ['private', 'psst'],
    ['command', '  !invitecode'],
    ['private', expect.stringMatching(/^G[0-9A-Z]+$/)],
  ]);
});

it('answers every command of the game to the one who asked', () => {
  const test = testFarm();
  const player = test.farm.players.called('Abigail', 'stock');
  player.join(throughFriends);
  test.seconds(joiningSeconds);
  const answers = ['!help', '!info', '!cabin', '!cabin reset', '!dance'].map((command) => {
    player.say(command);
    return test.told('chat').at(-1)?.message;
  });
  expect(answers).toEqual([
    expect.stringContaining('!invitecode'),
    'Sunnybrook, day 1 of spring, year 1',
    'Your cabin stands here now',
    'Your cabin is back where the farm keeps cabins',
    expect.stringContaining('no command !dance'),
  ]);
});

it('makes admins of those whom the settings name, by either id and over no other door', () => {
  const test = testFarm();
  const abigail = test.farm.players.called('Abigail', 'stock');
  test.farm.applySettings(
    withServer({ adminPlatformIds: [abigail.account.platformId.toString()], maxPlayers: 5 }),
  );
  abigail.join(throughFriends);
  test.farm.players.called('Shane', 'direct-ip').join(byAddress);
  test.seconds(joiningSeconds);
  expect(test.told('admin')).toEqual([{ type: 'admin', farmhandId: abigail.farmhandId }]);
});

it('cannot come through a door that its client does not have', () => {
  const test = testFarm();
  const shane = test.farm.players.called('Shane', 'direct-ip');
  shane.join(throughFriends);
  shane.join({ through: 'code', code: 'nonsense' });
  test.farm.players.called('Sam', 'test').join({ through: 'code', code: 'G!' });
  expect(test.told('dial-failed').map(({ reason }) => reason)).toEqual([
    'a direct-IP client has neither friends nor a use for invite codes',
    'a direct-IP client has neither friends nor a use for invite codes',
    'the invite code has characters other than letters and digits',
  ]);
});
