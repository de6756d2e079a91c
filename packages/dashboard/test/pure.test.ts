import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { type Event, StewardError } from '@steward/client';
import { operations } from '@steward/client/generated/operations';
import { operationCommand } from '@steward/shared/api/answers/operations';
import { endpoints } from '@steward/shared/api/endpoints';
import { commands as bridgeCommands } from '@steward/shared/bridge/commands';
import { askedNames } from '@steward/shared/bridge/methods';
import { drainLimits, drainPhases } from '@steward/shared/drain';
import { keptTopicNames, topicNames, topics } from '@steward/shared/events/event-types';
import { isGoodFor, type Scope, scopeNames } from '@steward/shared/scopes';
import { builtInFarms } from '@steward/shared/settings/setting-kinds';
import { expect, it, onTestFinished, vi } from 'vitest';
import { linkAfter, linkWithout, refusalIn } from '../src/farm/link.ts';
import { type ReadId, Reads, readsAfter, topicsFor } from '../src/farm/reads.ts';
import { askedOfTheGame, can, may, scopeOf } from '../src/may.ts';
import { inOrder } from '../src/parts/events.ts';
import { joined } from '../src/parts/older-rows.ts';
import { ago } from '../src/parts/times.ts';
import { eventSays } from '../src/views/home/event-says.ts';
import { farmState, lightOf, timeOfDay, whoIsHere } from '../src/views/home/farm-state.ts';
import { farmTypes, noticeWords, operationWords, scheduleWords, webhookWords } from '../src/words.ts';

interface Document {
  readonly paths: Readonly<
    Record<string, Record<string, { operationId: string; security?: { apiKey?: string[] }[] }>>
  >;
}

const document = JSON.parse(
  readFileSync(new URL('../../../docs/api-spec.json', import.meta.url), 'utf8'),
) as Document;

it('knows of each operation what it asks of a key, as the document says it', () => {
  const asked = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId, security = [] }): [string, string[]] => [
      operationId,
      security.flatMap(({ apiKey = [] }) => apiKey),
    ])
    .filter(([id, scopes]) => Object.hasOwn(operations, id) && scopes.join() !== 'read')
    .filter(([, scopes]) => scopes.length > 0);
  const known = Object.entries(scopeOf).map(([id, needed]) => [id, [needed].flat()]);
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(asked));
});

it('offers what a key may do, and says what a game cannot', () => {
  const reader = { scopes: ['read'] as const };
  expect(may({ scopes: [...reader.scopes] }, 'getStatus')).toBe(true);
  expect(may({ scopes: [...reader.scopes] }, 'setTime')).toBe(false);
  expect(may({ scopes: ['admin'] }, 'setTime')).toBe(true);
  expect(may(undefined, 'getStatus')).toBe(false);
  const status = { isOnline: true, capabilities: ['setTime'] };
  expect([can(status, 'setTime'), can(status, 'sendChat'), can(status, 'createBackup')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(can({ ...status, isOnline: false }, 'sendChat')).toBe(true);
  expect(can(status, 'changeSettings')).toBe(false);
});

it('names a farm by its index as the settings do', () => {
  // The page has the names in its own words: importing them would load all that reads settings.
  expect(farmTypes).toEqual(builtInFarms);
});

it('says of a drain what it does where nothing is entered, as the service has it', () => {
  const { usualMinutes, usualSeconds } = drainLimits;
  const { minutes, seconds } = scheduleWords.parameters;
  expect(minutes[1]).toContain(`Empty: ${usualMinutes.empty} until`);
  expect(minutes[1]).toContain(`${usualMinutes['day-end']} for the end of a day`);
  expect(seconds[1]).toContain(`Empty: ${usualSeconds}.`);
});

it('asks the game for what the endpoints say', () => {
  const declared = Object.entries(endpoints as Readonly<Record<string, { readonly game?: string }>>);
  const commands = Object.fromEntries(declared.map(([id, { game }]) => [id, game]));
  // What is no command by its declaration alone is a question to the game, or a command of the same name at the end of more.
  const capabilities = new Set([...Object.keys(bridgeCommands), ...askedNames, ...Object.keys(commands)]);
  for (const [id, command] of Object.entries(askedOfTheGame)) {
    expect(commands[id] ?? command, `${id} is ${command}`).toBe(command);
    expect(capabilities).toContain(command);
  }
  // And without a row the page offers to every game what some cannot do.
  const given = declared.filter(([, { game }]) => game !== undefined).map(([id, { game }]) => [id, game]);
  expect(askedOfTheGame).toMatchObject(Object.fromEntries(given));
});

const open = {
  isOnline: true,
  isJoinable: true,
  isPaused: false,
  dayTransitionComplete: true,
  obstacles: [],
};
const drain = { when: 'now', restart: false, startedAt: '2026-11-23T03:00:00.000Z' } as const;
const noGame = { code: 'no-game', reason: '', remedy: '' } as const;

it.each([
  ['open', {}],
  ['paused', { isPaused: true }],
  ['saving', { dayTransitionComplete: false, isJoinable: false }],
  ['closed', { isJoinable: false }],
  ['starting', { isOnline: false, isJoinable: false }],
  ['draining', { draining: { phase: 'counting' as const, ...drain } }],
  ['stopped', { isOnline: false, obstacles: [noGame], draining: { phase: 'stopped' as const, ...drain } }],
  ['starting', { isOnline: false, draining: { phase: 'starting' as const, ...drain } }],
  ['no-game', { isOnline: false, isJoinable: false, obstacles: [noGame] }],
] as const)('calls a farm %s', (state, more) => {
  expect(
    farmState({ ...open, ...more, obstacles: [...(('obstacles' in more && more.obstacles) || [])] }),
  ).toBe(state);
});

it('reads the clock of the game, whose day goes on into the night', () => {
  expect([600, 1200, 1310, 2400, 2600].map(timeOfDay)).toEqual([
    '6:00 am',
    '12:00 pm',
    '1:10 pm',
    '12:00 am',
    '2:00 am',
  ]);
  expect([600, 1200, 1800, 2300].map(lightOf)).toEqual(['dawn', 'day', 'dusk', 'night']);
});

it('knows how and when each came who is here', () => {
  const player = { id: 1n, idStr: '1', name: 'Ann', isOnline: true };
  const joined = {
    type: 'players.joined',
    at: '2026-11-22T10:00:00.000Z',
    cursor: 'a-1',
    data: { playerId: 1n, playerIdStr: '1', playerName: 'Ann', door: 'direct-ip' },
  } as const;
  expect(whoIsHere({ players: [player], version: 1 }, [joined])).toEqual([
    { id: '1', name: 'Ann', isAdmin: false, door: 'direct-ip', since: joined.at },
  ]);
  expect(whoIsHere({ players: [player], version: 1 }, [joined, { ...joined, type: 'players.left' }])).toEqual(
    [{ id: '1', name: 'Ann', isAdmin: false }],
  );
});

it('asks again for what an event makes another', () => {
  const at = { at: '', cursor: 'a-1' };
  expect(readsAfter({ type: 'state.changed', ...at, data: { reads: ['getStatus'] } })).toEqual(['getStatus']);
  expect(readsAfter({ type: 'server.settingsChanged', ...at, data: { fields: [] } })).toEqual([
    'getSettings',
  ]);
  expect(readsAfter({ type: 'server.stopping', ...at, data: {} })).toEqual([]);
  // A game that says late that it has a setting says it by the end of an operation alone.
  expect(readsAfter({ type: 'operations.ended', ...at, data: {} } as unknown as Event)).toContain(
    'getSettings',
  );
  // Which settings wait for the game, and which farms there are, only a game that is connected can tell.
  expect(readsAfter({ type: 'game.connected', ...at, data: { reason: '' } })).toEqual([
    'listFarms',
    'getSettings',
  ]);
  const loaded = { farmName: 'Meadow', isNew: true, operationId: 'o' };
  expect(readsAfter({ type: 'farm.loaded', ...at, data: loaded })).toEqual(['listFarms', 'getSettings']);
  // A schedule may be due by how long nobody is online.
  expect(readsAfter({ type: 'state.changed', ...at, data: { reads: ['listPlayers'] } })).toEqual([
    'listPlayers',
    'listSchedules',
  ]);
});

it('asks again for what nobody could foresee would fail', async () => {
  const answers: (() => unknown)[] = [() => 1, () => expect.unreachable('of no server'), () => 2];
  const reads = new Reads(async () => answers.shift()?.(), Promise.resolve());
  const shown = reads.of('getStatus');
  const leave = shown.subscribe(() => {});
  await expect.poll(() => shown.value).toEqual({ value: 1 });
  await expect(reads.makeOld()).rejects.toThrow('of no server');
  await reads.makeOld();
  expect(shown.value).toEqual({ value: 2 });
  leave();
});

/** Looks at it until it is answered: what is asked here answers at once, so that nothing is left of it after a turn. */
async function look(reads: Reads, id: ReadId): Promise<unknown> {
  const shown = reads.of(id);
  const leave = shown.subscribe(() => {});
  await turn();
  leave();
  return shown.peek();
}

it('asks again for what could not be answered, once somebody comes back to it', async () => {
  const error = new StewardError('network', 'no answer');
  const answers = [() => Promise.reject(error), async () => 1, async () => 2];
  const reads = new Reads(async () => answers.shift()?.(), Promise.resolve());
  expect(await look(reads, 'getStatus')).toEqual({ error });
  expect(await look(reads, 'getStatus')).toEqual({ value: 1 });
  // What was answered is told of when it is another.
  expect(await look(reads, 'getStatus')).toEqual({ value: 1 });
});

// Of the others no event tells, or not of each change.
it.each<[ReadId, number]>([
  ['getStatus', 1],
  ['listOperations', 2],
  ['listWebhooks', 2],
  ['listBackups', 2],
  ['listSchedules', 2],
  ['getSettings', 2],
  ['listAllowed', 2],
])('asks for %s as often as it may be another when somebody comes back to it', async (id, times) => {
  const asked: string[] = [];
  const reads = new Reads(async (each) => asked.push(each), Promise.resolve());
  await look(reads, id);
  await look(reads, id);
  expect(asked).toHaveLength(times);
});

it('asks again for what the server could not answer, while somebody looks at it, and not for what it never will', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked: string[] = [];
  let status: number | undefined = 500;
  const reads = new Reads(async (id) => {
    asked.push(id);
    if (status !== 200) throw new StewardError('internal', 'no answer', { status });
    return 1;
  }, Promise.resolve());
  const shown = reads.of('getStatus');
  const leave = shown.subscribe(() => {});
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return asked.length;
  };
  expect(await after(19_999)).toBe(1);
  expect(await after(1)).toBe(2);
  // Asked meanwhile by others it is asked once more, not once for each.
  await reads.makeOld();
  status = undefined;
  expect(await after(20_000)).toBe(4);
  status = 501;
  expect(await after(20_000)).toBe(5);
  expect(await after(100_000)).toBe(5);
  status = 403;
  await reads.makeOld();
  expect(await after(100_000)).toBe(6);
  status = 503;
  await reads.makeOld();
  leave();
  expect(await after(100_000)).toBe(7);
  status = 200;
  const comeBack = shown.subscribe(() => {});
  expect(await after(100_000)).toBe(8);
  expect(shown.peek()).toEqual({ value: 1 });
  status = 500;
  await reads.makeOld();
  status = 200;
  await reads.makeOld();
  expect(await after(100_000)).toBe(10);
  comeBack();
});

it('asks again for everything that somebody comes back to, where nobody tells what happens', async () => {
  let asked = 0;
  const reads = new Reads(
    async () => {
      asked += 1;
      return asked;
    },
    Promise.resolve(),
    () => false,
  );
  expect(await look(reads, 'getStatus')).toEqual({ value: 1 });
  expect(await look(reads, 'getStatus')).toEqual({ value: 2 });
});

it('hears of each topic that the key may hear of', () => {
  const keys: readonly (readonly Scope[])[] = [[], ['read', 'chat'], ...scopeNames.map((scope) => [scope])];
  for (const scopes of keys) {
    const told = topicNames.filter((topic) => isGoodFor(new Set(scopes), topics[topic].hear));
    expect(topicsFor({ scopes: [...scopes] }).toSorted(), scopes.join()).toEqual(told.toSorted());
  }
});

it('offers a webhook each topic of which there is a past', () => {
  expect(Object.keys(webhookWords.topicMeans)).toEqual(keptTopicNames);
});

it('asks each time for what depends on the time, and keeps one answer of it', async () => {
  const asked: object[] = [];
  const reads = new Reads(async (_id, each) => asked.push(each), Promise.resolve());
  let hour = 1;
  const lately = () => ({ from: `hour ${hour}` });
  const shown = reads.of('getSamples', lately);
  expect(reads.of('getSamples', lately)).toBe(shown);
  const leave = shown.subscribe(() => {});
  await expect.poll(() => asked).toEqual([{ from: 'hour 1' }]);
  hour = 2;
  await reads.makeOld(['getSamples']);
  expect(asked).toEqual([{ from: 'hour 1' }, { from: 'hour 2' }]);
  leave();
});

it('says how it stands with a server: away, restarting, or waiting for a key', () => {
  const live = { is: 'live', since: 1 } as const;
  const away = linkWithout(new StewardError('network', 'no answer'), live, 5);
  expect(away).toMatchObject({ is: 'away', since: 5 });
  expect(linkWithout(new StewardError('network', 'no answer'), away, 9)).toMatchObject({
    is: 'away',
    since: 5,
  });
  expect(linkWithout(new StewardError('shutting-down', 'stops'), live, 5)).toMatchObject({
    is: 'restarting',
  });
  const stopped = { is: 'restarting', since: 5 } as const;
  const minutes = (many: number) => 5 + many * 60_000;
  const noAnswer = new StewardError('network', 'no answer');
  expect(linkWithout(noAnswer, stopped, minutes(1))).toMatchObject(stopped);
  // No restart takes that long: somebody has stopped it.
  expect(linkWithout(noAnswer, stopped, minutes(3))).toMatchObject({ is: 'away', since: 5 });
  expect(linkAfter(new StewardError('key-ended', 'over'), 5)).toMatchObject({
    is: 'locked',
    code: 'key-ended',
  });
  expect(linkAfter(new StewardError('not-steward', 'a proxy'), 5)).toMatchObject({ is: 'refused' });
});

it('tells a server that answers and says why it does not let it in from one that cannot be reached', () => {
  const live = { is: 'live', since: 1 } as const;
  const refused = new StewardError('state-unreadable', 'This key cannot be checked');
  expect(refusalIn(linkWithout(refused, live, 5))).toBe('This key cannot be checked');
  const stopped = { is: 'restarting', since: 5 } as const;
  for (const code of ['network', 'timeout', 'not-steward', 'shutting-down'] as const)
    for (const before of [live, stopped])
      expect(refusalIn(linkWithout(new StewardError(code, 'why'), before, 600_000))).toBeUndefined();
});

it('says of the server that it is another version, and not which of the two is newer: it may have gone back', () => {
  expect(noticeWords.newer('0.1.0')).toBe('The server is now version 0.1.0, and this page is of another.');
});

it('calls what was asked for as the list of operations does, and by its own name what it does not know', () => {
  const ended = (command: string, state: string) =>
    eventSays({ type: 'operations.ended', data: { command, state } } as Event, () => undefined);
  expect(ended('setTime', 'applied')).toBe('Set the time: done');
  expect(ended('plough', 'refused')).toBe('plough: refused');
});

it('says of who was refused a farmhand whose it is, and not that its owner was kept out', () => {
  const refused = (playerName: string) =>
    eventSays({ type: 'players.refused', data: { playerId: 3n, playerName } } as Event, () => 'Ann');
  expect(refused('Ann')).toBe('Somebody was not let in as Ann');
  // A free slot has no name.
  expect(refused('')).toBe('Somebody was not let in');
});

it('says of a drain which step it has reached, and not at each that it has started', () => {
  const draining = (phase: string) =>
    eventSays({ type: 'server.draining', data: { phase } } as Event, () => undefined);
  expect(new Set(drainPhases.map(draining)).size).toBe(drainPhases.length);
  expect(draining('waiting')).toBe('Drain: Waiting. Nobody new can join.');
  expect(draining('saving')).toBe('Drain: The game saves.');
  expect(draining('resting')).toBe('Drain: resting');
});

it('says of a drain whether it lost the day, and of whole files whether a newer build is there', () => {
  const says = (type: string, data: object) => eventSays({ type, data } as Event, () => undefined);
  const drained = (isSaved: boolean) => says('server.drained', { restart: true, isSaved, isBack: true });
  expect(drained(true)).toBe('The drain is done');
  expect(drained(false)).toBe('The drain is done, but the farm was not saved: the day is lost');
  expect(says('sidecar.download', { state: 'whole' })).toBe('Game files: whole');
  expect(says('sidecar.download', { state: 'whole', isOutdated: true })).toBe(
    'Game files: a newer build is there',
  );
});

it('has words for everything that can be an operation', () => {
  expect(Object.keys(operationWords.commands).toSorted()).toEqual(operationCommand.options.toSorted());
});

it.each<[string, string, string, string]>([
  ['a newer one', '5432', '4321', '54321'],
  ['one that is gone from among them', '531', '4321', '531'],
  ['every second that is gone', '642', '54321', '6421'],
  ['more than are known', '98', '4321', '98'],
  ['none any more', '', '4321', ''],
])('continues a list by older rows that it has already: %s', (_what, newest, known, all) => {
  expect(joined([...newest], [...known], (row) => row).join('')).toBe(all);
});

it.each<[string, string, string, string]>([
  ['what was missed', 'a-9 a-10 a-12', 'a-8 a-9 a-11 a-13', 'a-8 a-9 a-10 a-11 a-12 a-13'],
  ['what is lost', 'a-5 a-6', 'a-5:gap a-6 a-7', 'a-5 a-5:gap a-6 a-7'],
  ['what came of another database', 'a-900', 'a-900:gap b-1', 'a-900 a-900:gap b-1'],
  ['what another database answers', 'b-1 b-2', 'a-900:gap b-3', 'a-900:gap b-1 b-2 b-3'],
])('has events in their order: %s', (_what, answered, heard, all) => {
  const events = (text: string) =>
    text.split(' ').map((each) => {
      const [cursor, type = 'chat.said'] = each.split(':');
      return { type, cursor } as Event;
    });
  const shown = inOrder(events(answered), events(heard));
  expect(shown.map(({ type, cursor }) => (type === 'gap' ? `${cursor}:gap` : cursor)).join(' ')).toBe(all);
});

it('says how long ago something was, and calls nothing yesterday that was before', () => {
  const hours = (count: number) => count * 3_600_000;
  expect([0.01, 1.9, 47, 49].map((count) => ago(0, hours(count)))).toEqual([
    'just now',
    '1 hr. ago',
    '1 day ago',
    '2 days ago',
  ]);
});
