import { describe, expect, it } from 'vitest';
import { commands, isCommandName, playerTarget } from './commands.ts';
import { gameEvent, isGameEventKind } from './events.ts';
import { farmId, helloParams } from './hello.ts';
import {
  lobbyVisibilityResult,
  notificationsOfGame,
  requestsOfControlApi,
  requestsOfGame,
} from './methods.ts';
import { commandOutcome, refusalCodes } from './outcome.ts';
import { networksSection, sectionNames, stateParams } from './state.ts';

describe('ids', () => {
  it('are decimal strings, so that no 64-bit id is ever a JavaScript number', () => {
    expect(playerTarget.safeParse({ playerId: '-9223372036854775808' }).success).toBe(true);
    expect(playerTarget.safeParse({ playerId: -5 }).success).toBe(false);
    expect(playerTarget.safeParse({ playerId: '9223372036854775808' }).success).toBe(false);
  });

  it('of a relay begin with 90', () => {
    const networks = (serverId: string) => ({
      relay: { serverId },
      network: { signedIn: false, why: 'no ticket yet' },
      directIp: { listening: false },
    });
    expect(networksSection.safeParse(networks('90201968429551637')).success).toBe(true);
    expect(networksSection.safeParse(networks('76561198000000001')).success).toBe(false);
  });

  it('of a farm can name a directory and nothing outside it', () => {
    expect(farmId.safeParse('Sunnybrook_398472611').success).toBe(true);
    for (const bad of ['', '..', '../up', 'a/b', '-rf', 'a'.repeat(101)])
      expect(farmId.safeParse(bad).success).toBe(false);
  });
});

it('of a refusal keeps a hundred matches of a name that fits more', () => {
  const matches = Array.from({ length: 101 }, (_, index) => ({ id: String(index), name: 'Ann' }));
  const refusal = { outcome: 'refused', code: 'ambiguous', message: 'Several are called Ann' };
  expect(commandOutcome.parse({ ...refusal, matches })).toEqual({
    ...refusal,
    matches: matches.slice(0, 100),
  });
});

it('of a player or a line that is too long keeps the beginning: the game need not know what is too long', () => {
  const [name, line] = ['n'.repeat(500_000), 'x'.repeat(500_000)];
  const said = gameEvent.parse({ kind: 'chat', playerId: '1', playerName: name, message: line });
  expect(said).toMatchObject({ playerName: `${'n'.repeat(199)}…`, message: `${'x'.repeat(999)}…` });
  const player = { id: '1', name, connectionId: 'SN_1', isAdmin: false };
  expect(stateParams.parse({ players: [player] }).players?.[0]?.name).toHaveLength(200);
  expect(gameEvent.safeParse({ ...said, message: '' }).success).toBe(false);
});

describe('a target', () => {
  it('is exactly one of id and name', () => {
    expect(playerTarget.safeParse({ name: 'Robin' }).success).toBe(true);
    expect(playerTarget.safeParse({ name: 'Robin', playerId: '1' }).success).toBe(false);
    expect(playerTarget.safeParse({}).success).toBe(false);
  });
});

describe('names', () => {
  it('of commands are those of the table', () => {
    expect(Object.keys(commands).every(isCommandName)).toBe(true);
    expect(isCommandName('toString')).toBe(false);
  });

  it('of events are those of the union', () => {
    expect(gameEvent.options.every((option) => isGameEventKind(option.shape.kind.value))).toBe(true);
    expect(isGameEventKind('whispered')).toBe(false);
    expect(isGameEventKind(7)).toBe(false);
  });

  it('of methods, commands and events never clash', () => {
    const names = [requestsOfGame, notificationsOfGame, requestsOfControlApi, commands].flatMap(Object.keys);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('takes one section at a time, each whole', () => {
  expect(stateParams.safeParse({ rendering: { fps: 0 } }).success).toBe(true);
  expect(stateParams.safeParse({ rendering: {} }).success).toBe(false);
  expect(sectionNames).toHaveLength(8);
});

it('lets a newer game say more than is known here', () => {
  const hello = {
    protocol: { major: 1, minor: 7 },
    game: { name: 'Later', version: '9' },
    capabilities: ['timeTravel'],
    mood: 'fine',
  };
  expect(helloParams.parse(hello)).not.toHaveProperty('mood');
});

it('has no answer but public for a lobby', () => {
  expect(lobbyVisibilityResult.safeParse({ visibility: 'friends-only' }).success).toBe(false);
});

it.each(Object.keys(refusalCodes))('knows the refusal %s', (code) => {
  expect(commandOutcome.safeParse({ outcome: 'refused', code, message: 'no' }).success).toBe(true);
});

it('takes the refusal of a newer game for one that it knows, and one without a code for none', () => {
  const refusal = { outcome: 'refused', message: 'The festival has begun' };
  expect(commandOutcome.parse({ ...refusal, code: 'festival' })).toEqual({ ...refusal, code: 'failed' });
  for (const code of ['', 7, null, undefined])
    expect(commandOutcome.safeParse({ ...refusal, code }).success).toBe(false);
});
