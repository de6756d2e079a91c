import type { Command } from '@steward/shared/bridge/commands';
import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { expect, it } from 'vitest';
import { bindCommand } from '../src/commands/all-commands.ts';
import { CommandDesk } from '../src/commands/command-desk.ts';
import {
  joiningSeconds,
  type TestFarm,
  testFarm,
  testSettings,
  throughFriends,
  withServer,
} from './test-farm.ts';

interface Desk extends TestFarm {
  readonly desk: CommandDesk;
  readonly claims: string[];
  /** What the control API says to a claim; undefined: nothing yet. */
  claimAnswer: Parsed<boolean> | undefined;
  answerLater: ((answer: Parsed<boolean>) => void)[];
  give<Name extends Command['name']>(
    id: string,
    name: Name,
    params: Extract<Command, { name: Name }>['params'],
  ): CommandOutcome[];
}

function farmWithDesk(): Desk {
  const test = testFarm();
  const claims: string[] = [];
  const self: Desk = {
    ...test,
    claims,
    claimAnswer: accepted(true),
    answerLater: [],
    desk: new CommandDesk(test.farm, (command, granted) => {
      claims.push(command);
      if (self.claimAnswer === undefined) self.answerLater.push(granted);
      else granted(self.claimAnswer);
    }),
    give(id, name, params) {
      const outcomes: CommandOutcome[] = [];
      const command = bindCommand(name, params);
      if (!command.ok) throw new Error(command.reason);
      self.desk.take(id, command.value, (outcome) => outcomes.push(outcome));
      test.seconds(0);
      return outcomes;
    },
  };
  return self;
}

function joined(test: TestFarm, name: string): string {
  const player = test.farm.players.called(name, 'stock');
  player.join(throughFriends);
  test.seconds(joiningSeconds);
  return player.farmhandId ?? '';
}

it('sets the time, the render rate and the settings, and says what was before', () => {
  const test = farmWithDesk();
  expect(test.give('1', 'setTime', { value: 675 })).toEqual([
    { outcome: 'applied', before: { timeOfDay: 600 }, after: { timeOfDay: 675 } },
  ]);
  expect(test.give('2', 'setRenderRate', { fps: 30 })).toMatchObject([
    { before: { fps: 0 }, after: { fps: 30 } },
  ]);
  const settings = withServer({ maxPlayers: 3, cabinStrategy: 'None' });
  expect(test.give('3', 'applySettings', { settings })).toMatchObject([
    { before: { server: testSettings.server }, after: { server: settings.server } },
  ]);
  expect(test.claims).toEqual(['1', '2', '3']);
});

it('makes an admin of anyone by id or by a name in any case, once', () => {
  const test = farmWithDesk();
  const id = joined(test, 'Abigail');
  const subject = { id, name: 'Abigail' };
  expect(test.give('1', 'grantAdmin', { target: { name: 'ABIGAIL' } })).toEqual([
    { outcome: 'applied', before: { isAdmin: false }, after: { isAdmin: true }, subject },
  ]);
  expect(test.give('2', 'grantAdmin', { target: { playerId: id } })).toMatchObject([
    { before: { isAdmin: true } },
  ]);
  expect(test.give('3', 'grantAdmin', { target: { name: 'host' } })).toMatchObject([
    { before: { isAdmin: true } },
  ]);
  expect(test.give('4', 'grantAdmin', { target: { name: 'Nobody' } })).toMatchObject([
    { outcome: 'refused', code: 'not-found' },
  ]);
});

it('deletes a farmhand who is away, with the cabin, and keeps one slot free', () => {
  const test = farmWithDesk();
  const id = joined(test, 'Abigail');
  expect(test.give('1', 'deleteFarmhand', { target: { playerId: id } })).toMatchObject([
    { outcome: 'refused', code: 'online' },
  ]);
  test.farm.players.find('Abigail')?.leave();
  expect(test.give('2', 'deleteFarmhand', { target: { name: 'abigail' } })).toMatchObject([
    { outcome: 'applied', before: { exists: true }, after: { exists: false }, subject: { id } },
  ]);
  expect(test.farm.slots.find(id)).toBeUndefined();
  expect(test.farm.world.state.cabins.map(({ ownerId }) => ownerId)).toEqual(
    test.farm.slots.all.map(({ id }) => id),
  );
  expect(test.farm.slots.all.some(({ customised }) => !customised)).toBe(true);
  expect(test.claims).toEqual(['2']);
});

it('lists all whom an ambiguous name fits, unclaimed and with nothing done', () => {
  const test = farmWithDesk();
  test.farm.faults.start('duplicate-names', 600_000);
  joined(test, 'Abigail');
  joined(test, 'Sam');
  expect(test.give('1', 'deleteFarmhand', { target: { name: 'robin' } })).toMatchObject([
    { outcome: 'refused', code: 'ambiguous', matches: [{ name: 'Robin' }, { name: 'Robin' }] },
  ]);
  expect(test.claims).toEqual([]);
});

it('clears a stamp, and links and unlinks the lobby', () => {
  const test = farmWithDesk();
  const farmhandId = joined(test, 'Abigail');
  const stamp = test.farm.slots.find(farmhandId)?.stamp;
  expect(stamp).toMatch(/^[0-9]+$/);
  expect(test.give('1', 'clearStamp', { farmhandId })).toEqual([
    { outcome: 'applied', before: { stamp }, after: {} },
  ]);
  expect(test.farm.slots.find(farmhandId)?.stamp).toBeUndefined();
  expect(test.give('2', 'linkLobby', { platformLobbyId: '5' })).toMatchObject([
    { after: { platformLobbyId: '5' } },
  ]);
  expect(test.give('3', 'linkLobby', {})).toMatchObject([{ before: { platformLobbyId: '5' }, after: {} }]);
  test.farm.hosting.loseLobby('gone');
  expect(test.give('4', 'linkLobby', { platformLobbyId: '5' })).toMatchObject([{ code: 'not-found' }]);
});

it('shows everyone what comes from outside, and takes none of it for a command', () => {
  const test = farmWithDesk();
  test.give('1', 'sendChat', { author: 'Discord', message: '!invitecode' });
  expect(test.told('chat')).toEqual([
    { type: 'chat', kind: 'public', author: '(Web) Discord', message: '!invitecode' },
  ]);
});

it('does nothing, ever, when the claim is refused or unanswered', () => {
  const test = farmWithDesk();
  for (const answer of [accepted(false), refused('the connection was lost')]) {
    test.claimAnswer = answer;
    expect(test.give('1', 'setTime', { value: 900 })).toEqual([{ outcome: 'void' }]);
  }
  test.claimAnswer = undefined;
  const outcomes = test.give('2', 'setTime', { value: 900 });
  test.desk.connectionLost();
  for (const answer of test.answerLater) answer(accepted(true));
  test.seconds(60);
  expect([outcomes, test.farm.world.state.timeOfDay]).toEqual([[], 600]);
  expect(test.desk.entries(['1', '2'])).toEqual([
    { command: '1', state: 'absent' },
    { command: '2', state: 'absent' },
  ]);
});

it('keeps its word that a command is absent, though its claim be granted later', () => {
  const test = farmWithDesk();
  test.claimAnswer = undefined;
  const outcomes = test.give('1', 'setTime', { value: 900 });
  expect(test.desk.entries(['1'])).toEqual([{ command: '1', state: 'absent' }]);
  for (const answer of test.answerLater) answer(accepted(true));
  test.seconds(60);
  expect([outcomes, test.farm.world.state.timeOfDay]).toEqual([[{ outcome: 'void' }], 600]);
});

it('applies a command once, however often it comes, and gives everyone the one outcome', () => {
  const test = farmWithDesk();
  test.claimAnswer = undefined;
  const first = test.give('1', 'sendChat', { author: 'a', message: 'once' });
  const second = test.give('1', 'sendChat', { author: 'a', message: 'once' });
  for (const answer of test.answerLater) answer(accepted(true));
  test.seconds(0);
  const third = test.give('1', 'sendChat', { author: 'a', message: 'once' });
  expect([first, second, third]).toEqual([first, first, first]);
  expect(first).toMatchObject([{ outcome: 'applied' }]);
  expect([test.claims, test.told('chat').length]).toEqual([['1'], 1]);
});

it('refuses for the moment what changes a farm that is saving, and holds what was granted until it has saved', () => {
  const test = farmWithDesk();
  test.claimAnswer = undefined;
  const held = test.give('1', 'setTime', { value: 900 });
  const saving = test.give('2', 'save', {});
  test.answerLater[1]?.(accepted(true));
  test.seconds(0);
  test.answerLater[0]?.(accepted(true));
  test.seconds(0);
  expect(test.give('3', 'setTime', { value: 700 })).toMatchObject([{ outcome: 'refused', code: 'saving' }]);
  expect(test.desk.entries(['1', '2'])).toEqual([
    { command: '1', state: 'working' },
    { command: '2', state: 'working' },
  ]);
  test.desk.connectionLost();
  test.seconds(3);
  expect(saving).toMatchObject([
    { outcome: 'applied', before: { saveGeneration: 1 }, after: { saveGeneration: 2 } },
  ]);
  expect(held).toMatchObject([{ outcome: 'applied' }]);
  expect(test.farm.world.state.timeOfDay).toBe(900);
});

it('refuses to save while somebody plays, and says who', () => {
  const test = farmWithDesk();
  joined(test, 'Abigail');
  expect(test.give('1', 'save', {})).toEqual([
    {
      outcome: 'refused',
      code: 'players-online',
      message: 'The farm cannot save while it is played by Abigail',
    },
  ]);
  expect(test.claims).toEqual([]);
  test.farm.players.find('Abigail')?.leave();
  const saving = test.give('2', 'save', {});
  test.seconds(3);
  expect(saving).toMatchObject([{ outcome: 'applied', after: { saveGeneration: 2 } }]);
});

it('refuses a save after all where somebody has come while it waited for its claim', () => {
  const test = farmWithDesk();
  test.claimAnswer = undefined;
  const saving = test.give('1', 'save', {});
  joined(test, 'Abigail');
  for (const answer of test.answerLater) answer(accepted(true));
  test.seconds(3);
  expect(saving).toMatchObject([{ outcome: 'refused', code: 'players-online' }]);
  expect(test.farm.world.state.generation).toBe(1);
});

it('stops without a save while somebody plays, for whom the day is lost, and saves first while nobody does', () => {
  const played = farmWithDesk();
  joined(played, 'Abigail');
  const lost = played.give('1', 'stop', {});
  played.seconds(3);
  expect(lost).toEqual([{ outcome: 'applied', before: { saveGeneration: 1 }, after: { saveGeneration: 1 } }]);
  expect(played.saves.load()).toMatchObject({ generation: 1, timeOfDay: 600 });
  const empty = farmWithDesk();
  const kept = empty.give('1', 'stop', {});
  empty.seconds(3);
  expect(kept).toMatchObject([{ before: { saveGeneration: 1 }, after: { saveGeneration: 2 } }]);
  expect(empty.saves.load()?.journal).toMatchObject([{ command: '1' }]);
});

it('keeps the journal in the save, and goes back with it', () => {
  const test = farmWithDesk();
  test.give('1', 'setTime', { value: 900 });
  const [saved] = test.give('2', 'save', {});
  expect(saved).toBeUndefined();
  test.seconds(3);
  test.give('3', 'setTime', { value: 1000 });
  expect(test.desk.entries(['1', '2', '3']).map(({ state }) => state)).toEqual([
    'applied',
    'applied',
    'applied',
  ]);
  test.desk.crash();
  test.farm.crash();
  expect(test.desk.entries(['1', '2', '3']).map(({ state }) => state)).toEqual([
    'applied',
    'applied',
    'absent',
  ]);
  expect(test.farm.world.state.timeOfDay).toBe(900);
});

it('remembers the last thousand commands, and is busy before it drowns', () => {
  const test = farmWithDesk();
  for (let id = 1; id <= 1_001; id++) test.give(String(id), 'setRenderRate', { fps: id });
  expect(test.desk.entries(['1', '2', '1001']).map(({ state }) => state)).toEqual([
    'absent',
    'applied',
    'applied',
  ]);
  test.claimAnswer = undefined;
  for (let id = 2_001; id <= 2_200; id++) test.give(String(id), 'setRenderRate', { fps: id });
  expect(test.give('2201', 'setRenderRate', { fps: 1 })).toMatchObject([
    { outcome: 'refused', code: 'busy' },
  ]);
});

it('shows everybody an announcement as the server’s own', () => {
  const test = farmWithDesk();
  joined(test, 'Abigail');
  expect(test.give('1', 'announce', { message: '!help yourselves' })).toMatchObject([{ outcome: 'applied' }]);
  expect(test.told('chat').at(-1)).toEqual({
    type: 'chat',
    kind: 'public',
    author: '(Server)',
    message: '!help yourselves',
  });
});

it('sends a player away with the reason, who may come back; nobody else', () => {
  const test = farmWithDesk();
  const id = joined(test, 'Abigail');
  const target = { name: 'abigail' };
  expect(test.give('1', 'kick', { target, reason: 'Take a break' })).toEqual([
    {
      outcome: 'applied',
      subject: { id, name: 'Abigail' },
      before: { isOnline: true },
      after: { isOnline: false },
    },
  ]);
  expect(test.told('kicked')).toEqual([{ type: 'kicked', farmhandId: id, reason: 'Take a break' }]);
  expect(test.told('left')).toMatchObject([{ farmhandId: id }]);
  expect(test.farm.players.find('Abigail')?.whereabouts).toBe('away');
  expect(test.give('2', 'kick', { target })).toMatchObject([{ outcome: 'refused', code: 'offline' }]);
  expect(test.give('3', 'kick', { target: { name: 'nobody' } })).toMatchObject([{ code: 'not-found' }]);
  expect(joined(test, 'Abigail')).toBe(id);
  expect(test.claims).toEqual(['1']);
});
