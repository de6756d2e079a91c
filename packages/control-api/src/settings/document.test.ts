import { defaultSettings } from '@steward/shared/bridge/settings';
import { withstand } from '@steward/testing/hostile/withstand';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultDocument, editServer, readSettings } from './document.ts';

function read(text: string) {
  const parsed = readSettings(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

it('the file that is made reads as the defaults, without a warning', () => {
  expect(read(defaultDocument()).warnings).toEqual([]);
  expect(read('{}')).toEqual({ settings: defaultSettings, warnings: [] });
  expect(defaultSettings.server).toMatchObject({ maxPlayers: 10, enforceFarmhandOwnership: true });
});

describe('a bad value costs only itself, and its warning names it', () => {
  it.each([
    [
      '{"Server":{"MaxPlayers":"many","LobbyMode":"individual"}}',
      'Server.MaxPlayers is "many"',
      '10 is used',
    ],
    [
      '{"Server":{"LobbyMode":1,"CabinStrategy":"Stack"}}',
      'Server.CabinStrategy is "Stack"',
      '"CabinStack" is used',
    ],
    ['{"Server":{"LobbyMode":1,"CabinStrategy":3}}', 'Server.CabinStrategy is 3', '"CabinStack" is used'],
    ['{"Server":{"LobbyMode":1,"MaxPlayers":200}}', 'Server.MaxPlayers is 200', '100 is used'],
    ['{"Server":{"LobbyMode":1,"MaxPlayers":0}}', 'Server.MaxPlayers is 0', '1 is used'],
    [
      '{"Server":{"LobbyMode":1,"NetworkBroadcastPeriod":99}}',
      'Server.NetworkBroadcastPeriod is 99',
      '60 is used',
    ],
    [
      '{"Server":{"LobbyMode":1,"NetworkBroadcastPeriod":0}}',
      'Server.NetworkBroadcastPeriod is 0',
      '1 is used',
    ],
    [
      '{"Server":{"LobbyMode":1,"AdminPlatformIds":[1,-2]}}',
      'Server.AdminPlatformIds is [1,-2]',
      '[] is used',
    ],
    ['{"Server":{"LobbyMode":1},"Game":{"FarmType":9}}', 'Game.FarmType is 9', '0 is used'],
    ['{"Server":{"LobbyMode":1},"Game":{"FarmType":[]}}', 'Game.FarmType is []', '0 is used'],
    ['{"Server":{"LobbyMode":1},"Game":{"RandomSeed":-1}}', 'Game.RandomSeed is -1', 'null is used'],
    ['{"Server":{"LobbyMode":1},"Game":7}', 'Game is not an object', 'defaults'],
  ])('%s', (text, name, used) => {
    const { settings, warnings } = read(text);
    expect(settings.server.lobbyMode).toBe('Individual');
    expect(warnings).toEqual([expect.stringContaining(name)]);
    expect(warnings[0]).toContain(used);
  });
});

it.each([
  ['Server', 'ActiveLobbyLayout', '../../etc', 'default'],
  ['Server', 'ActiveLobbyLayout', '', 'default'],
  ['Server', 'ActiveLobbyLayout', 'a'.repeat(33), 'default'],
  ['Game', 'FarmName', '../../etc', 'Junimo'],
  ['Game', 'FarmName', '..', 'Junimo'],
  ['Game', 'FarmName', '\u200b \u3164', 'Junimo'],
  ['Game', 'FarmName', 'a\u0000b', 'Junimo'],
  ['Game', 'PetName', 'a\nb', 'Apples'],
  ['Game', 'PetName', 'a'.repeat(101), 'Apples'],
  ['Game', 'PetName', 'a\\b', 'Apples'],
  ['Game', 'FarmType', '../../etc', '0'],
  ['Game', 'FarmType', 'a\u0000b', '0'],
])('no text that could lead elsewhere is taken: %s.%s is not %j', (section, key, value, used) => {
  const { settings, warnings } = read(JSON.stringify({ [section]: { [key]: value } }));
  expect(settings).toEqual(defaultSettings);
  expect(warnings).toEqual([expect.stringContaining(`${section}.${key} is `)]);
  expect(warnings[0]).toContain(used);
});

it.each([
  ['Server', 'ActiveLobbyLayout', 'lobby_2-B'],
  ['Game', 'FarmName', "Ann's Höhle №1"],
  ['Game', 'PetName', 'Mr. Whiskers ♥'],
  ['Game', 'FarmType', 'Somebody.TheirMod_Big Farm'],
])('reads %s.%s %j as it stands', (section, key, value) => {
  const { settings, warnings } = read(JSON.stringify({ [section]: { [key]: value } }));
  expect(warnings).toEqual([]);
  expect(Object.values({ ...settings.game, ...settings.server })).toContain(value);
});

it.each([
  [3, 3],
  ['3', 3],
  ['four corners', 5],
  ['FOURCORNERS', 5],
  ['Frontier_Farm', 'Frontier_Farm'],
])('reads the farm type %j as %j', (written, farmType) => {
  expect(read(JSON.stringify({ Game: { FarmType: written } })).settings.game.farmType).toBe(farmType);
});

it.each(['', '[]', '7', '{', '{"a":1}}', '{"a" 1}', 'null'])('cannot read %j, and says where', (text) => {
  expect(readSettings(text)).toMatchObject({ ok: false });
});

it('does not repeat in a warning all that somebody wrote', () => {
  const read = readSettings(
    `{"version": "${' '.repeat(10_000)}", "Server": {"MaxPlayers": "${'9'.repeat(10_000)}"}}`,
  );
  const warnings = read.ok ? read.value.warnings : [];
  expect(warnings).toHaveLength(2);
  for (const warning of warnings) expect(warning.length).toBeLessThan(300);
});

it('reads behind a byte order mark, and keeps it', () => {
  const edited = editServer(`\uFEFF{"Server":{}}`, { maxPlayers: 7 });
  expect(edited.startsWith('\uFEFF{')).toBe(true);
  expect(read(edited).settings.server.maxPlayers).toBe(7);
});

it('warns where a setting stands there under both of its names, and takes the last', () => {
  const read = readSettings('{"Server":{"AdminSteamIds":["7"],"AdminPlatformIds":[]}}');
  expect(read).toMatchObject({
    value: {
      settings: { server: { adminPlatformIds: [] } },
      warnings: [
        expect.stringMatching(/AdminPlatformIds and AdminSteamIds.*the one that comes last is used/),
      ],
    },
  });
  expect(readSettings('{"Server":{"AdminSteamIds":["7"]}}')).toMatchObject({ value: { warnings: [] } });
});

it('takes the last of a key that stands there twice, reading and writing', () => {
  const text = '{"Server":{"MaxPlayers":2,"maxPlayers":3}}';
  expect(read(text).settings.server.maxPlayers).toBe(3);
  expect(editServer(text, { maxPlayers: 4 })).toBe('{"Server":{"MaxPlayers":2,"maxPlayers":4}}');
});

it.each([101, 5_000, 200_000])('cannot read what is nested %i levels deep, and says so', (levels) => {
  const lists = '['.repeat(levels);
  for (const text of [`{"Mods":${lists}${']'.repeat(levels)}}`, lists, '{"a":'.repeat(levels + 1)])
    expect(readSettings(text)).toEqual({ ok: false, reason: expect.stringContaining('levels deep') });
});

it('edits a file with a long run of spaces as fast as any other', () => {
  const text = `{"Game":{"FarmName":"${' '.repeat(200_000)}"}, "Server":{"LobbyMode":1}}`;
  expect(read(withstand(() => editServer(text, { maxPlayers: 4 }))).settings.server.maxPlayers).toBe(4);
});

it('after any edit reads as what was asked for, and everything unknown is still there', () => {
  const changes = fc.record(
    {
      maxPlayers: fc.integer({ min: 1, max: 100 }),
      lobbyMode: fc.constantFrom('Shared' as const, 'Individual' as const),
      separateWallets: fc.boolean(),
      activeLobbyLayout: fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/),
      adminPlatformIds: fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  const documents = fc.constantFrom(
    '{}',
    '{ "Server": {} }',
    '{\n\t"server": { "maxPlayers": 3, // a\n "X": [1,] },\n}',
    '{"Game":{"PetName":"Ü"},"SERVER":{"LOBBYMODE":"shared","AdminSteamIds":[]}}\r\n',
    defaultDocument(),
  );
  fc.assert(
    fc.property(documents, changes, (text, change) => {
      const edited = editServer(text, change);
      expect(read(edited).settings).toEqual({
        game: read(text).settings.game,
        server: { ...read(text).settings.server, ...change },
      });
      for (const kept of ['// a', '"X": [1,]', '"PetName":"Ü"'])
        if (text.includes(kept)) expect(edited).toContain(kept);
    }),
  );
});
