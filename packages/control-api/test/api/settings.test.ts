import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { defaultDocument } from '../../src/settings/document.ts';
import { openApi } from './stage/open-api.ts';

const mine = `{
  // ours, please keep
  "Game": { "FarmName": "Meadow", "RandomSeed": 18446744073709551615 },
  "server": {
    "maxplayers": 4, /* few */
    "AdminSteamIds": [76561198000000001, "76561198000000002"],
    "SomethingNew": { "a": [1, 2,], },
  },
}
`;

describe('GET /settings', () => {
  it('gives the defaults where there is no file, and makes one', async () => {
    await using api = await openApi({ game: false });
    const { exact } = await api.ask('GET', '/settings');
    expect(exact).toMatchObject({
      game: {
        farmName: 'Junimo',
        farmType: 0,
        profitMargin: 1,
        startingCabins: 1,
        spawnMonstersAtNight: 'auto',
      },
      server: { maxPlayers: 10, cabinStrategy: 'CabinStack', separateWallets: false },
      waiting: { newGame: [], restart: [] },
    });
    expect(readFileSync(api.file.path, 'utf8')).toBe(defaultDocument());
  });

  it('gives what an operator wrote, in any case, with exact ids', async () => {
    await using api = await openApi({ settings: mine });
    expect((await api.ask('GET', '/settings')).exact).toMatchObject({
      game: { farmName: 'Meadow', randomSeed: '18446744073709551615' },
      server: { maxPlayers: 4, adminPlatformIds: ['76561198000000001', '76561198000000002'] },
    });
  });

  it('says so when the file cannot be read', async () => {
    await using api = await openApi({ settings: '{ "Game": ' });
    const { exact } = await api.ask('GET', '/settings');
    expect(exact).toMatchObject({ server: { maxPlayers: 10 } });
    expect(exact['problem']).toContain('line 1');
  });
});

describe('POST /settings', () => {
  it('changes what is named, keeps everything else to the byte, and the file as it was beside it', async () => {
    await using api = await openApi({ settings: mine });
    const { exact } = await api.ask(
      'POST',
      '/settings?maxPlayers=8&adminPlatformIds=1,2&lobbyMode=Individual',
    );
    expect(exact).toMatchObject({
      success: true,
      operationId: '1001',
      before: {
        maxPlayers: 4,
        adminPlatformIds: ['76561198000000001', '76561198000000002'],
        lobbyMode: 'Shared',
      },
      after: { maxPlayers: 8, adminPlatformIds: ['1', '2'], lobbyMode: 'Individual' },
    });
    const written = readFileSync(api.file.path, 'utf8');
    expect(written).toContain('"maxplayers": 8, /* few */');
    expect(written).toContain('// ours, please keep');
    expect(written).toContain('"SomethingNew": { "a": [1, 2,], }');
    expect(written).toContain('"AdminSteamIds": ["1","2"]');
    expect(written).toContain('"LobbyMode": "Individual"');
    expect(readFileSync(`${api.file.path}.previous`, 'utf8')).toBe(mine);
    expect((await api.ask('GET', '/settings')).exact).toMatchObject({ server: { maxPlayers: 8 } });
    expect(api.farm.state.status.maxPlayers).toBe(8);
  });

  it('says what waits for a restart because the game has not taken it yet', async () => {
    await using api = await openApi();
    const { exact } = await api.ask('POST', '/settings?cabinStrategy=None&maxPlayers=3');
    expect(exact).toMatchObject({ waiting: { newGame: [], restart: ['server.cabinStrategy'] } });
    expect(exact['message']).toContain('waits for a restart');
    expect((await api.ask('GET', '/settings')).exact).toMatchObject({
      waiting: { restart: ['server.cabinStrategy'] },
    });
  });

  it('keeps what the operator wrote meanwhile, and says what of it waits for a new game', async () => {
    await using api = await openApi();
    await api.file.replace('{ "Game": { "FarmName": "Other" }, "Server": { "LobbyMode": "Individual" } }');
    const { exact } = await api.ask('POST', '/settings?maxPlayers=3');
    expect(exact).toMatchObject({ waiting: { newGame: ['game.farmName'] } });
    expect(readFileSync(api.file.path, 'utf8')).toContain('"FarmName": "Other"');
  });

  it.each([
    ['without a game, which hears of it when it comes', { game: false }, /gets it when it connects/],
    [
      'with a game that takes no settings while it runs',
      { capabilities: ['setTime'] },
      /waits for a restart/,
    ],
  ])('writes the file %s', async (_how, options, message) => {
    await using api = await openApi(options);
    expect((await api.ask('GET', '/status')).exact).toMatchObject({
      capabilities: expect.arrayContaining(['applySettings']),
    });
    const { exact } = await api.ask('POST', '/settings?maxPlayers=3');
    const done = { before: { maxPlayers: 10 }, after: { maxPlayers: 3 } };
    expect(exact).toMatchObject({ success: true, ...done, message: expect.stringMatching(message) });
    expect((await api.ask('GET', '/settings')).exact).toMatchObject({ server: { maxPlayers: 3 } });
    expect(readFileSync(api.file.path, 'utf8')).toContain('"MaxPlayers": 3');
    expect((await api.ask('GET', `/operations/${exact['operationId']}`)).exact).toMatchObject({
      command: 'applySettings',
      state: 'applied',
      before: { server: { maxPlayers: 10 } },
      after: { server: { maxPlayers: 3 } },
    });
  });

  it('tells a game that comes later', async () => {
    await using api = await openApi({ game: false });
    await api.ask('POST', '/settings?maxPlayers=3');
    const farm = await api.connect();
    expect(farm.settings).toMatchObject({ server: { maxPlayers: 3 } });
  });

  it('leaves the file alone when the game refuses, and when it is another request under a known key', async () => {
    await using api = await openApi({ settings: mine });
    const headers = { 'idempotency-key': 'k' };
    await api.ask('POST', '/settings?maxPlayers=5', { headers });
    const written = readFileSync(api.file.path, 'utf8');
    expect((await api.ask('POST', '/settings?maxPlayers=6', { headers })).statusCode).toBe(422);
    api.farm.mood = { refuses: 'saving', message: 'a day ends' };
    expect((await api.ask('POST', '/settings?maxPlayers=6')).statusCode).toBe(503);
    expect(readFileSync(api.file.path, 'utf8')).toBe(written);
  });

  it('says that the file cannot be written, and writes it when it is asked again under the same key', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k' };
    const blocked = `${api.file.path}.previous.new`;
    mkdirSync(blocked);
    const failed = await api.ask('POST', '/settings?maxPlayers=3', { headers });
    expect(failed.exact).toMatchObject({ status: 500, code: 'settings-unwritable' });
    expect(api.farm.heard).toEqual([]);
    rmdirSync(blocked);
    const { exact } = await api.ask('POST', '/settings?maxPlayers=3', { headers });
    expect(exact).toMatchObject({ after: { maxPlayers: 3 } });
    expect(readFileSync(api.file.path, 'utf8')).toContain('"MaxPlayers": 3');
    expect(api.farm.heard).toEqual(['applySettings']);
  });

  it('tells which operation the game has applied where the file cannot be put in its place any more', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k' };
    api.farm.mood = 'claims-and-is-silent';
    const asked = api.ask('POST', '/settings?maxPlayers=3', { headers });
    await expect.poll(() => api.farm.held).toHaveLength(1);
    const blocked = `${api.file.path}.previous`;
    mkdirSync(blocked);
    api.farm.held[0]?.();
    const { exact } = await asked;
    expect(exact).toMatchObject({ status: 500, code: 'settings-unwritable' });
    expect(exact['detail']).toMatch(
      /^The game has it .* but the settings file does not: .*Send the request again$/,
    );
    expect(readdirSync(dirname(api.file.path))).not.toContain('server-settings.json.new');
    expect(readFileSync(api.file.path, 'utf8')).toBe(defaultDocument());
    const told = await api.ask('GET', `/operations/${exact['operationId']}`);
    expect(told.exact).toMatchObject({ command: 'applySettings', state: 'applied' });
    rmdirSync(blocked);
    api.farm.mood = 'willing';
    const again = await api.ask('POST', '/settings?maxPlayers=3', { headers });
    expect(again.exact).toMatchObject({ before: { maxPlayers: 10 }, after: { maxPlayers: 3 } });
    expect(readFileSync(api.file.path, 'utf8')).toContain('"MaxPlayers": 3');
  });

  it('never touches a file that it cannot read', async () => {
    const broken = '{ "Server": { "MaxPlayers": 4, } // and here it was cut o';
    await using api = await openApi({ settings: broken });
    const answer = await api.ask('POST', '/settings?maxPlayers=6');
    expect(answer.exact).toMatchObject({ status: 409, code: 'settings-unreadable' });
    expect(readFileSync(api.file.path, 'utf8')).toBe(broken);
  });

  it('never puts a file in the place of a link whose file is away', async () => {
    using directory = temporaryDirectory();
    const link = join(directory.path, 'server-settings.json');
    symlinkSync(join(directory.path, 'share', 'settings.json'), link);
    await using api = await openApi({ directory: directory.path });
    const { exact } = await api.ask('GET', '/settings');
    expect(exact['problem']).toContain('the file that it links to is missing');
    const answer = await api.ask('POST', '/settings?maxPlayers=6');
    expect(answer.exact).toMatchObject({ status: 409, code: 'settings-unreadable' });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('wants at least one setting, and no other than those of the server section', async () => {
    await using api = await openApi();
    expect((await api.ask('POST', '/settings')).exact).toMatchObject({ code: 'missing-parameter' });
    expect((await api.ask('POST', '/settings?farmName=x')).exact).toMatchObject({
      code: 'unknown-parameter',
    });
    expect((await api.ask('POST', '/settings?maxPlayers=101')).exact).toMatchObject({
      code: 'invalid-parameter',
    });
  });

  it('takes changes that come together one after the other', async () => {
    await using api = await openApi();
    const asked = [1, 2, 3, 4, 5].map((period) =>
      api.ask('POST', `/settings?networkBroadcastPeriod=${period}`),
    );
    const answers = await Promise.all(asked);
    const steps = answers.map(({ exact }) =>
      [exact['before'], exact['after']].map((step) => Object.values(step ?? {})[0]),
    );
    expect(steps).toEqual([
      [1, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ]);
  });

  it('takes no layout whose name leads elsewhere: it may become the name of a file', async () => {
    await using api = await openApi();
    const names = ['../../etc', '..', '.', 'a/b', 'a%5Cb', 'C:', 'lobby.json', 'a%20b', 'ä', 'a'.repeat(33)];
    for (const layout of names) {
      const { exact } = await api.ask('POST', `/settings?activeLobbyLayout=${layout}`);
      expect(exact, layout).toMatchObject({ status: 400, code: 'invalid-parameter' });
      expect(exact['detail']).toMatch(/^activeLobbyLayout .*letters, digits, _ and -/);
    }
    expect(readFileSync(api.file.path, 'utf8')).toBe(defaultDocument());
  });

  it.each(['', 'none'])('empties the list of admins by adminPlatformIds=%s', async (text) => {
    await using api = await openApi({ settings: mine });
    const { exact } = await api.ask('POST', `/settings?adminPlatformIds=${text}`);
    expect(exact).toMatchObject({ success: true, after: { adminPlatformIds: [] } });
    expect(readFileSync(api.file.path, 'utf8')).toContain('"AdminSteamIds": []');
  });

  it('takes nothing else that is empty', async () => {
    await using api = await openApi();
    for (const name of ['activeLobbyLayout', 'maxPlayers', 'lobbyMode', 'separateWallets'])
      expect((await api.ask('POST', `/settings?${name}=`)).exact).toMatchObject({
        code: 'invalid-parameter',
        detail: expect.stringMatching(`^${name} is empty`),
      });
  });
});
