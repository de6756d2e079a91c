import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Answer } from '@steward/shared/bridge/peer';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { ids } from './stage/full-farm.ts';
import { openApi } from './stage/open-api.ts';
import { sharedApi } from './stage/shared-api.ts';

const platformId = '76561198000000007';
const relay = `SN_${platformId}_1`;
const networkId = '46265193014';
const network = `GN_${networkId}`;
const byAddress = 'L_7f21';

/** Whose a farmhand is shall not matter: bans hold all the same. */
const open = { settings: JSON.stringify({ Server: { EnforceFarmhandOwnership: false } }) };

/** Nothing that is asked of it is done. */
const refusing = sharedApi(open);

type Api = Awaited<ReturnType<typeof openApi>>;

function resultOf(answer: Answer) {
  if (answer.kind !== 'result') throw new Error(`not answered: ${answer.message}`);
  return answer.result as { decision?: string; farmhandIds?: string[]; message?: string; reason?: string };
}

/** Whether somebody is let in, and what they are shown where they are not. */
async function knocks(api: Api, connectionId: string, more: { id?: string; address?: string } = {}) {
  const { id = ids.free, ...address } = more;
  const slot = api.farm.state.farmhands.find((each) => each.id === id);
  const shown = resultOf(
    await api.farm.ask('visibleSlots', { connectionId, slots: api.farm.state.farmhands, ...address }),
  );
  const joins = resultOf(await api.farm.ask('mayJoin', { connectionId, slot, ...address }));
  return { shown, joins };
}

/** Time goes by while the game ticks. */
async function passes(api: Api, seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    api.clock.advance(1_000);
    api.farm.tick();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function told(api: Api, topics: string) {
  const { exact } = await api.ask('GET', `/events?topics=${topics}&limit=100`);
  return (exact['events'] as { type: string; data: Record<string, unknown> }[]).map(({ type, data }) => ({
    type,
    data,
  }));
}

/** Ann and Bob are online by one address. */
async function comeFrom(api: Api, address: string): Promise<void> {
  for (const id of [ids.ann, ids.bob]) {
    const connectionId = `L_${id}`;
    await knocks(api, connectionId, { id: ids.free, address });
    api.farm.state.players = [
      ...api.farm.state.players.filter((player) => player.id !== id),
      { id, name: id === ids.ann ? 'Ann' : 'Bob', connectionId, isAdmin: false },
    ];
  }
  api.farm.tell();
}

describe('POST /announcements', () => {
  it('shows everybody a line, cleaned and cut as what is said in the chat is', async () => {
    await using api = await openApi(open);
    const hostile = `\u202eRestart\n\tin \u0007ten ${'x'.repeat(1_000)}`;
    const answer = await api.ask('POST', `/announcements?message=${encodeURIComponent(hostile)}`);
    expect(answer.exact).toMatchObject({ success: true, truncated: true, length: 450 });
    const [line] = api.farm.said;
    expect(line?.['message']).toMatch(/^Restart in ten x+…$/);
    expect(api.farm.heard).toEqual(['announce']);
  });

  it('is 501 where the game cannot', async () => {
    await using api = await openApi({ capabilities: ['sendChat'] });
    const { exact, statusCode } = await api.ask('POST', '/announcements?message=hello');
    expect([statusCode, exact['code']]).toEqual([501, 'not-supported-by-game']);
  });

  it.each(['%20', '%E2%80%8B', ''])('takes no line of which nothing can be seen: "%s"', async (message) => {
    const api = await refusing();
    expect((await api.ask('POST', `/announcements?message=${message}`)).statusCode).toBe(400);
    expect(api.farm.heard).toEqual([]);
  });
});

describe('POST /players/kick', () => {
  /** The game is asked, and sends nobody away. */
  const askedInVain = sharedApi(open);

  it('sends a player away, tells them why, and tells who it was', async () => {
    await using api = await openApi(open);
    const reason = encodeURIComponent(`Take\na \u202ebreak${'!'.repeat(10_000)}`);
    const { exact } = await api.ask('POST', `/players/kick?name=ann&reason=${reason}`);
    expect(exact).toMatchObject({
      message: 'Ann is kicked, and may come back',
      playerIdStr: ids.ann,
      playerName: 'Ann',
      before: { isOnline: true },
      after: { isOnline: false },
    });
    expect(api.farm.state.players).toEqual([]);
    expect(await told(api, 'players')).toEqual([
      {
        type: 'players.kicked',
        data: { playerId: BigInt(ids.ann), playerIdStr: ids.ann, playerName: 'Ann' },
      },
    ]);
    expect((await knocks(api, network)).joins.decision).toBe('game-decides');
  });

  it.each([
    ['name=bob', 409, 'player-offline'],
    ['name=nobody', 404, 'player-not-found'],
    ['playerId=5', 404, 'player-not-found'],
    ['name=kim', 409, 'ambiguous-name'],
  ])('says that there is nobody to send away: %s', async (query, status, code) => {
    const api = await askedInVain();
    const { exact, statusCode } = await api.ask('POST', `/players/kick?${query}`);
    expect([statusCode, exact['code']]).toEqual([status, code]);
  });
});

describe('POST /bans', () => {
  it.each([
    ['the relay', `identity=${platformId}`, relay, {}],
    ['the network', `identity=${networkId}`, network, {}],
    ['direct IP', 'address=198.51.100.7', byAddress, { address: '198.51.100.7' }],
    ['direct IP, by its network', 'address=198.51.100.0/24', byAddress, { address: '::ffff:198.51.100.9' }],
    ['direct IP of IPv6', 'address=2001:db8:1::/48', byAddress, { address: '2001:db8:1::5' }],
  ])('keeps out who comes by %s, and shows them why', async (_door, query, connection, more) => {
    await using api = await openApi(open);
    expect((await knocks(api, connection, more)).joins.decision).not.toBe('refuse');
    await api.ask('POST', `/bans?${query}&reason=Griefing`);
    const message = 'You are banned from this farm: Griefing';
    const { shown, joins } = await knocks(api, connection, more);
    expect(shown).toEqual({ farmhandIds: [], message });
    expect(joins).toMatchObject({ decision: 'refuse', message });
    expect((await knocks(api, 'GN_5', { address: '198.51.101.7' })).joins.decision).toBe('game-decides');
    const { exact } = await api.ask('GET', '/bans');
    const [row] = exact['bans'] as { id: string }[];
    await api.ask('DELETE', `/bans?id=${row?.id}`);
    expect((await knocks(api, connection, more)).joins.decision).not.toBe('refuse');
  });

  it('of a player covers what the ownership map knows, also where ownership is not enforced', async () => {
    await using api = await openApi(open);
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${platformId}`);
    const { exact } = await api.ask('POST', '/bans?name=Bob&until=2d');
    expect(exact).toMatchObject({
      message: 'Bob is banned until 2026-11-23T00:00:00.000Z',
      row: { playerIdStr: ids.bob, playerName: 'Bob', identities: [platformId] },
      kicked: [],
    });
    expect((await knocks(api, relay)).joins.message).toBe(
      'You are banned from this farm until 2026-11-23 00:00 UTC',
    );
    // The farmhand itself is for nobody else either, until it is somebody's again.
    const other = await knocks(api, byAddress, { id: ids.bob });
    expect(other.shown.farmhandIds).not.toContain(ids.bob);
    expect(other.joins.decision).toBe('refuse');
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${networkId}`);
    expect((await knocks(api, network, { id: ids.bob })).joins.decision).not.toBe('refuse');
    expect((await knocks(api, relay)).joins.decision).toBe('refuse');
    api.clock.advance(2 * 86_400_000);
    expect((await knocks(api, relay)).joins.decision).not.toBe('refuse');
  });

  it('of a player who is banned again covers still whom it covered first, and whose the farmhand is by now', async () => {
    await using api = await openApi(open);
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${platformId}`);
    await api.ask('POST', '/bans?name=Bob&until=2d');
    await api.ask('POST', '/farmhands/release?name=Bob');
    await api.ask('POST', '/bans?name=Bob&until=3d');
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${networkId}`);
    const { exact } = await api.ask('POST', '/bans?name=Bob&until=4d');
    expect(exact['row']).toMatchObject({ identities: [platformId, networkId] });
    for (const visitor of [relay, network])
      expect((await knocks(api, visitor)).joins.decision).toBe('refuse');
  });

  it('of a player whom nobody knew as the ownership map could not be read follows the map once it can be', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'farms', 'Sunnybrook_398472611', 'farmhand-ownership.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{"version":2}');
    await using api = await openApi({ directory: directory.path });
    const { exact } = await api.ask('POST', '/bans?name=Bob');
    expect(exact['row']).not.toHaveProperty('identities');
    const farmhands = { [ids.bob]: { owner: 'platform', id: platformId, origin: 'claim' } };
    writeFileSync(path, JSON.stringify({ version: 1, saveGeneration: 12, farmhands, journal: [] }));
    for (const id of [ids.bob, ids.free])
      expect((await knocks(api, relay, { id })).joins.message).toMatch(/banned/);
  });

  it('of a player whose record may have been lost follows the map once an operator has said whose the farmhand is', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'farms', 'Sunnybrook_398472611', 'farmhand-ownership.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{"version":1,"farm');
    await using api = await openApi({ directory: directory.path });
    await vi.waitFor(async () =>
      expect((await api.ask('GET', '/status')).exact).toMatchObject({
        obstacles: [{ code: 'ownership-incomplete' }],
      }),
    );
    const { exact } = await api.ask('POST', '/bans?name=Bob');
    expect(exact['row']).not.toHaveProperty('identities');
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${networkId}`);
    for (const id of [ids.bob, ids.free])
      expect((await knocks(api, network, { id })).joins.message).toMatch(/banned/);
  });

  it.each(['bans', 'allowlist'])(
    'of a player who is listed again stays about whom it was while the ownership map cannot be read: %s',
    async (list) => {
      using directory = temporaryDirectory();
      const path = join(directory.path, 'farms', 'Sunnybrook_398472611', 'farmhand-ownership.json');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '{"version":2}');
      const rows = [{ playerId: ids.bob, identities: [platformId] }];
      const leftLists = { bans: [], allowlist: [], [list]: rows };
      await using api = await openApi({ directory: directory.path, leftLists });
      const { exact } = await api.ask('POST', `/${list}?name=Bob&until=2d`);
      expect(exact['row']).toMatchObject({ until: expect.any(String), identities: [platformId] });
    },
  );

  it('of a farmhand that nobody owned is not one of whom it is given to since', async () => {
    await using api = await openApi(open);
    await api.ask('POST', '/bans?name=Bob');
    expect((await knocks(api, byAddress, { id: ids.bob })).joins.decision).toBe('refuse');
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${networkId}`);
    for (const id of [ids.bob, ids.free])
      expect((await knocks(api, network, { id })).joins.decision).toBe('game-decides');
  });

  it('of a player is said to be of their farmhand to who is not banned and wants it', async () => {
    await using api = await openApi(open);
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${platformId}`);
    await api.ask('POST', '/bans?name=Bob');
    const { joins } = await knocks(api, network, { id: ids.bob });
    expect(joins.message).toBe('This farmhand belongs to a banned player: choose another one');
    const refused = (await told(api, 'players')).filter(({ type }) => type === 'players.refused');
    expect(refused).toMatchObject([
      { data: { remedy: expect.stringMatching(/^POST \/farmhands\/rebind /) } },
    ]);
  });

  it('of a player is told of when their farmhand is released, which it keeps from everyone', async () => {
    await using api = await openApi(open);
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${platformId}`);
    const { exact } = await api.ask('POST', '/bans?name=Bob');
    const { id } = exact['row'] as { id: string };
    const release = async () => (await api.ask('POST', '/farmhands/release?name=Bob')).exact['message'];
    expect(await release()).toBe(
      `Bob is free for the next player, but the ban ${id} keeps it from everyone: rebind it, or lift the ban`,
    );
    expect((await knocks(api, network, { id: ids.bob })).joins.decision).toBe('refuse');
    await api.ask('DELETE', `/bans?id=${id}`);
    expect(await release()).toBe('Bob is free for the next player');
    expect((await knocks(api, network, { id: ids.bob })).joins.decision).toBe('game-decides');
  });

  it('of a player keeps nobody else from their slot once it is empty again, as in an older save', async () => {
    await using api = await openApi(open);
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${platformId}`);
    await api.ask('POST', '/bans?name=Bob');
    const bob = api.farm.state.farmhands.find((slot) => slot.id === ids.bob);
    Object.assign(bob ?? {}, { name: '', isCustomized: false });
    api.farm.tell();
    for (const visitor of [network, byAddress]) {
      const { shown, joins } = await knocks(api, visitor, { id: ids.bob });
      expect(shown.farmhandIds).toContain(ids.bob);
      expect(joins.decision).toBe('game-decides');
    }
    expect((await knocks(api, relay, { id: ids.bob })).joins.message).toMatch(/banned/);
    Object.assign(bob ?? {}, { isOnline: true });
    api.farm.state.players = [{ id: ids.bob, name: '', connectionId: byAddress, isAdmin: false }];
    api.farm.tell();
    const { exact } = await api.ask('POST', '/bans?identity=5');
    expect(exact).toMatchObject({ kicked: [], stillOnline: [] });
  });

  it('of a player who is still creating their farmhand is one of their identity, and leaves the slot free', async () => {
    await using api = await openApi(open);
    const free = api.farm.state.farmhands.find((slot) => slot.id === ids.free);
    const comes = (connectionId: string) => {
      Object.assign(free ?? {}, { isOnline: true });
      api.farm.state.players = [{ id: ids.free, name: '', connectionId, isAdmin: false }];
      api.farm.tell();
    };
    comes(network);
    const { exact } = await api.ask('POST', `/bans?playerId=${ids.free}`);
    expect(exact).toMatchObject({ row: { identity: networkId }, kicked: [{ playerIdStr: ids.free }] });
    expect(exact['row']).not.toHaveProperty('playerIdStr');
    expect((await knocks(api, network)).joins.decision).toBe('refuse');
    expect((await knocks(api, relay)).joins.decision).toBe('game-decides');
    comes(byAddress);
    const refused = await api.ask('POST', `/bans?playerId=${ids.free}`);
    expect([refused.statusCode, refused.exact['code']]).toEqual([404, 'farmhand-not-found']);
  });

  it('sends away at once who is on the farm, and says so', async () => {
    await using api = await openApi(open);
    const { exact } = await api.ask('POST', '/bans?name=Ann&reason=Griefing');
    expect(exact).toMatchObject({
      message: 'Ann is banned until the ban is lifted; kicked: Ann',
      row: { identities: ['76561198000000001'] },
      kicked: [{ playerIdStr: ids.ann, playerName: 'Ann' }],
      stillOnline: [],
    });
    expect(api.farm.heard).toEqual(['kick']);
    expect((await told(api, 'players')).map(({ type }) => type)).toEqual([
      'players.banned',
      'players.kicked',
    ]);
  });

  const annsOwner = { owner: 'network', id: '76561198000000001', origin: 'operator' };
  const annsMap = { version: 1, saveGeneration: 12, farmhands: { [ids.ann]: annsOwner }, journal: [] };

  it.each([
    ['is not read yet', JSON.stringify(annsMap)],
    ['cannot be read', '{"version":2}'],
    ['was lost', '{"version":1,"farm'],
  ])('of a player leaves the later owner of their farmhand where the map %s', async (_map, content) => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'farms', 'Sunnybrook_398472611', 'farmhand-ownership.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const leftLists = { bans: [{ playerId: ids.ann, identities: ['5'] }], allowlist: [] };
    await using api = await openApi({ directory: directory.path, leftLists });
    await vi.waitFor(() => expect(api.ownership.view.map ?? api.ownership.view.problems[0]).toBeDefined());
    // Everybody who may not be there is kicked once more.
    expect((await api.ask('POST', '/bans?identity=6')).exact).toMatchObject({ kicked: [], stillOnline: [] });
    expect(api.farm.heard).toEqual([]);
    api.farm.state.players = [{ id: ids.ann, name: 'Ann', connectionId: byAddress, isAdmin: false }];
    api.farm.tell();
    await vi.waitFor(() => expect(api.farm.heard).toEqual(['kick']));
  });

  it('says who is still there where the game cannot send anybody away', async () => {
    await using api = await openApi({ capabilities: [] });
    const { exact } = await api.ask('POST', '/bans?name=Ann');
    expect(exact).toMatchObject({
      message: 'Ann is banned until the ban is lifted; still online: Ann (this game cannot kick players)',
      kicked: [],
      stillOnline: [{ playerName: 'Ann', reason: 'this game cannot kick players' }],
    });
    // It is not asked again, and they are still there all the same.
    api.clock.advance(60_000);
    expect((await api.ask('POST', '/bans?identity=5')).exact).toMatchObject({
      kicked: [],
      stillOnline: [{ playerName: 'Ann', reason: 'this game cannot kick players' }],
    });
  });

  it('says who is still there also to whoever asks again before they are told to go again', async () => {
    await using api = await openApi(open);
    api.farm.mood = { refuses: 'saving', message: 'the farm is saving' };
    const headers = { 'idempotency-key': 'once' };
    const asks = [
      () => api.ask('POST', '/bans?name=Ann', { headers }),
      () => api.ask('POST', '/bans?name=Ann', { headers }),
      () => api.ask('POST', '/bans?identity=76561198000000001'),
    ];
    for (const ask of asks)
      expect((await ask()).exact).toMatchObject({
        kicked: [],
        stillOnline: [{ playerIdStr: ids.ann, playerName: 'Ann', reason: 'the farm is saving' }],
      });
    expect(api.farm.heard).toEqual(['kick']);
  });

  it.each([
    ['address=10.0.0.1', /private address/],
    ['address=127.0.0.1', /private address/],
    ['address=fd00::1', /private address/],
    ['address=0.0.0.0/0', /very wide/],
    ['address=8.0.0.0/15', /very wide/],
    ['address=::/0', /very wide/],
  ])('needs force where others may be meant: %s', async (query, why) => {
    await using api = await openApi(open);
    const { exact, statusCode } = await api.ask('POST', `/bans?${query}`);
    expect([statusCode, exact['code']]).toEqual([409, 'ban-needs-force']);
    expect(exact['detail']).toMatch(why);
    expect(exact['detail']).toMatch(/it is banned anyway$/);
    const { exact: allowing } = await api.ask('POST', `/allowlist?${query}`);
    expect(allowing['detail']).toMatch(/it is allowed anyway$/);
    expect((await api.ask('POST', `/bans?${query}&force=true`)).statusCode).toBe(200);
  });

  it('needs force for an address that two players share who are online', async () => {
    await using api = await openApi(open);
    const address = '8.8.8.8';
    await comeFrom(api, address);
    const refused = await api.ask('POST', `/bans?address=${address}`);
    expect(refused.exact['detail']).toMatch(/2 online players have the address 8\.8\.8\.8/);
    const { exact } = await api.ask('POST', `/bans?address=${address}&force=true`);
    expect(exact['kicked']).toHaveLength(1);
  });

  it.each([
    ['', 400, 'conflicting-parameters'],
    ['name=Ann&identity=5', 400, 'conflicting-parameters'],
    ['address=1.2.3', 400, 'invalid-parameter'],
    ['address=1.2.3.4/40', 400, 'invalid-parameter'],
    ['address=not+one', 400, 'invalid-parameter'],
    ['identity=-1', 400, 'invalid-parameter'],
    ['identity=5&until=2020-01-01', 400, 'invalid-parameter'],
    ['name=kim', 409, 'ambiguous-name'],
    ['name=nobody', 404, 'farmhand-not-found'],
    [`playerId=${ids.free}`, 404, 'farmhand-not-found'],
  ])('refuses %s', async (query, status, code) => {
    const api = await refusing();
    const { exact, statusCode } = await api.ask('POST', `/bans?${query}`);
    expect([statusCode, exact['code']]).toEqual([status, code]);
    expect((await api.ask('GET', '/bans')).exact).toEqual({ bans: [] });
  });

  it('is one operation under its key, durable before it is told, and keeps the row of who is banned again', async () => {
    using directory = temporaryDirectory();
    await using api = await openApi({ ...open, directory: directory.path });
    const headers = { 'idempotency-key': 'once' };
    const first = await api.ask('POST', '/bans?identity=5&reason=one', { headers });
    const file = join(directory.path, 'bans.json');
    expect(JSON.parse(readFileSync(file, 'utf8')).bans).toHaveLength(1);
    const again = await api.ask('POST', '/bans?identity=5&reason=one', { headers });
    expect(again.exact['operationId']).toBe(first.exact['operationId']);
    const second = await api.ask('POST', '/bans?identity=5&reason=two&until=1d');
    expect(second.exact['row']).toMatchObject({
      id: (first.exact['row'] as { id: string }).id,
      reason: 'two',
    });
    expect((await api.ask('GET', '/bans')).exact['bans']).toHaveLength(1);
  });

  it('shows identities and addresses to those alone who may moderate', async () => {
    await using api = await openApi({ key: 'owner', leftKeys: [{ name: 'reader', scopes: ['read'] }] });
    await api.ask('POST', `/bans?identity=${networkId}`);
    await api.ask('POST', '/bans?address=198.51.100.7');
    const key = api.secretOf('reader');
    const shown = await api.ask('GET', '/events?topics=players,operations&limit=50', { key });
    expect(shown.body).toContain('players.banned');
    const { exact } = await api.ask('GET', '/operations', { key });
    for (const body of [shown.body, JSON.stringify(exact, (_, value) => String(value))])
      for (const secret of [networkId, '198.51.100.7']) expect(body).not.toContain(secret);
    expect((await api.ask('GET', '/bans', { key })).statusCode).toBe(403);
  });
});

describe('the allowlist', () => {
  it('is off until somebody is on it, lets those in by the door that they are known by, and ends with the last', async () => {
    await using api = await openApi(open);
    expect((await api.ask('GET', '/allowlist')).exact).toEqual({ isOn: false, allowlist: [] });
    await api.ask('POST', `/allowlist?identity=${networkId}&until=1h`);
    await api.ask('POST', '/allowlist?address=198.51.100.7');
    await api.ask('POST', '/allowlist?name=Bob');
    const doors = async () => ({
      network: (await knocks(api, network)).joins.decision,
      relay: (await knocks(api, relay)).joins.decision,
      address: (await knocks(api, byAddress, { address: '198.51.100.7' })).joins.decision,
      bob: (await knocks(api, byAddress, { id: ids.bob })).joins.decision,
      free: (await knocks(api, byAddress)).joins.decision,
    });
    expect(await doors()).toEqual({
      network: 'game-decides',
      relay: 'refuse',
      address: 'game-decides',
      bob: 'game-decides',
      free: 'refuse',
    });
    // By another door, once the farmhand is theirs there.
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${platformId}`);
    expect((await knocks(api, relay)).joins.decision).toBe('game-decides');
    await api.ask('POST', '/farmhands/release?name=Bob');
    // Who is on the farm stays.
    expect(api.farm.heard).toEqual([]);
    expect((await knocks(api, byAddress)).shown.farmhandIds).toEqual([ids.bob]);
    await api.ask('POST', `/bans?identity=${networkId}`);
    expect((await knocks(api, network)).joins.message).toMatch(/banned/);
    await api.ask('DELETE', `/bans?identity=${networkId}`);
    api.clock.advance(3_600_000);
    expect(await doors()).toMatchObject({ network: 'refuse', address: 'game-decides' });
    const { exact } = await api.ask('GET', '/allowlist');
    expect(exact).toMatchObject({ isOn: true, allowlist: [{ isOver: true }, {}, {}] });
    await api.ask('DELETE', '/allowlist?name=bob');
    await api.ask('DELETE', '/allowlist?address=198.51.100.7');
    // Over or not: without it everybody would come in, which nobody has said.
    expect(await doors()).toMatchObject({ network: 'refuse' });
    const last = await api.ask('DELETE', `/allowlist?identity=${networkId}`);
    expect(last.exact['message']).toMatch(/everybody can join again/);
    expect(await doors()).toMatchObject({ network: 'game-decides', relay: 'game-decides' });
  });

  it('lets nobody without an identity take the farmhand of a player who is known by one', async () => {
    await using api = await openApi(open);
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${networkId}`);
    await api.ask('POST', '/allowlist?name=Bob');
    await api.ask('POST', '/farmhands/release?name=Bob');
    expect((await knocks(api, network, { id: ids.bob })).joins.decision).toBe('game-decides');
    const { shown, joins } = await knocks(api, byAddress, { id: ids.bob });
    expect([shown.farmhandIds, joins.decision]).toEqual([[], 'refuse']);
  });
});

describe('a player of whom no identity is known', () => {
  const stamped = async () => {
    const api = await openApi();
    const bob = api.farm.state.farmhands.find((slot) => slot.id === ids.bob);
    Object.assign(bob ?? {}, { stamp: networkId });
    api.farm.tell();
    return api;
  };

  it('is not said to be able to join by a connection that the allowlist does not let in', async () => {
    await using api = await stamped();
    const { exact } = await api.ask('POST', '/allowlist?name=Bob');
    expect(exact).toMatchObject({
      message: expect.stringMatching(
        /^Bob can join by direct IP only, .*: no identity of theirs is known\. /,
      ),
      row: { identities: [] },
    });
    for (const visitor of [network, byAddress])
      expect((await knocks(api, visitor, { id: ids.bob })).joins.decision).toBe('refuse');
    const bob = api.farm.state.farmhands.find((slot) => slot.id === ids.bob);
    delete bob?.stamp;
    expect((await knocks(api, byAddress, { id: ids.bob })).joins.decision).toBe('allow');
  });

  it('is not said to be banned, as they can come back with another farmhand', async () => {
    await using api = await stamped();
    const { exact } = await api.ask('POST', '/bans?name=Bob');
    expect(exact).toMatchObject({
      message: expect.stringMatching(
        /^Only the farmhand of Bob is banned until the ban is lifted\. No identity/,
      ),
      row: { identities: [] },
    });
    expect((await knocks(api, network, { id: ids.bob })).joins.decision).toBe('refuse');
    expect((await knocks(api, network)).joins.decision).toBe('allow');
  });
});

describe('STATE_DIR/bans.json', () => {
  const fileIn = (directory: string) => join(directory, 'bans.json');
  const byHand = (rows: object) => JSON.stringify({ version: 1, ...rows });

  it('is taken up when somebody writes it, who is sent away that is on the farm', async () => {
    using directory = temporaryDirectory();
    await using api = await openApi({ ...open, directory: directory.path });
    api.watch();
    writeFileSync(
      fileIn(directory.path),
      byHand({ bans: [{ identity: '76561198000000001', reason: 'By\u202e hand', until: '2027-01-31' }] }),
    );
    await passes(api, 5);
    await vi.waitFor(() => expect(api.farm.heard).toEqual(['kick']));
    const { exact } = await api.ask('GET', '/bans');
    expect(exact['bans']).toEqual([
      {
        id: expect.stringMatching(/^row_/),
        identity: '76561198000000001',
        reason: 'By hand',
        until: '2027-01-31T00:00:00.000Z',
      },
    ]);
    await vi.waitFor(async () =>
      expect((await told(api, 'players')).map(({ type }) => type)).toEqual([
        'players.banned',
        'players.kicked',
      ]),
    );
    const [row] = exact['bans'] as { id: string }[];
    expect((await api.ask('DELETE', `/bans?id=${row?.id}`)).statusCode).toBe(200);
  });

  it('holds as it was read last where it cannot be read any more, and is left as it is', async () => {
    using directory = temporaryDirectory();
    await using api = await openApi({ ...open, directory: directory.path });
    await api.ask('POST', `/bans?identity=${networkId}`);
    const broken = '{"version":1,"bans":[{"identity":"5",}]}';
    writeFileSync(fileIn(directory.path), broken);
    expect((await knocks(api, network)).joins.decision).toBe('refuse');
    expect((await knocks(api, relay)).joins.decision).toBe('game-decides');
    const status = await api.ask('GET', '/status');
    expect(status.exact).toMatchObject({ isJoinable: true });
    expect(status.exact['obstacles']).toMatchObject([{ code: 'bans-outdated' }]);
    const refused = await api.ask('POST', '/bans?identity=6');
    expect([refused.statusCode, refused.exact['code']]).toEqual([409, 'bans-unreadable']);
    expect(readFileSync(fileIn(directory.path), 'utf8')).toBe(broken);
    writeFileSync(fileIn(directory.path), byHand({ bans: [] }));
    expect((await knocks(api, network)).joins.message).toBeUndefined();
    expect((await api.ask('GET', '/status')).exact['obstacles']).toEqual([]);
  });

  it.each([
    ['no JSON', 'who knows'],
    ['no list', '[]'],
    ['nothing', ''],
    ['of a newer version', '{"version":2,"bans":"otherwise"}'],
    ['an id that a number has rounded', '{"version":1,"bans":[{"identity":76561198000000001}]}'],
    ['a row about nobody', '{"version":1,"bans":[{"reason":"?"}]}'],
    ['a row about two', '{"version":1,"bans":[{"identity":"5","address":"8.8.8.8"}]}'],
    ['no address', '{"version":1,"bans":[{"address":"home"}]}'],
    ['no time', '{"version":1,"bans":[{"identity":"5","until":"soon"}]}'],
  ])('lets nobody in where it is unknown who is kept out: %s', async (_what, content) => {
    using directory = temporaryDirectory();
    writeFileSync(fileIn(directory.path), content);
    await using api = await openApi({ ...open, directory: directory.path });
    const { shown, joins } = await knocks(api, network);
    expect(joins).toMatchObject({
      decision: 'refuse',
      message: expect.stringMatching(/Nobody can join now/),
    });
    expect(shown).toMatchObject({ farmhandIds: [] });
    const ready = await api.ask('GET', '/health/ready');
    expect(ready.exact).toMatchObject({ ready: false, obstacles: [{ code: 'bans-unreadable' }] });
    for (const [method, url] of [
      ['GET', '/bans'],
      ['POST', '/bans?identity=5'],
    ] as const)
      expect((await api.ask(method, url)).exact).toMatchObject({ code: 'bans-unreadable' });
    expect(readFileSync(fileIn(directory.path), 'utf8')).toBe(content);
    writeFileSync(fileIn(directory.path), byHand({}));
    expect((await knocks(api, network)).joins.decision).toBe('game-decides');
  });

  it('loses bans that are over by the clock, and not by one that was set', async () => {
    using directory = temporaryDirectory();
    await using api = await openApi({ ...open, directory: directory.path });
    api.watch();
    await api.ask('POST', '/bans?identity=5&until=1h');
    const kept = () => JSON.parse(readFileSync(fileIn(directory.path), 'utf8')).bans.length;
    const looksAround = async () => {
      await passes(api, 5);
      await knocks(api, 'L_nobody');
      await api.ask('GET', '/bans');
    };
    await looksAround();
    api.clock.setWallClock(30 * 86_400_000);
    await looksAround();
    expect((await knocks(api, 'GN_5')).joins.decision).toBe('game-decides');
    api.clock.setWallClock(-30 * 86_400_000);
    await looksAround();
    expect(kept()).toBe(1);
    expect((await knocks(api, 'GN_5')).joins.decision).toBe('refuse');
    await passes(api, 3_600);
    await vi.waitFor(async () => {
      await looksAround();
      expect(kept()).toBe(0);
    });
    // It is told once the file is written.
    await expect
      .poll(async () => (await told(api, 'players')).map(({ type, data }) => [type, data['why']]))
      .toEqual(
        expect.arrayContaining([
          ['players.banned', undefined],
          ['players.unbanned', 'over'],
        ]),
      );
  });
});

describe('POST /bans/import', () => {
  it('is done once for a key, also where a row would be refused by now for who has come since', async () => {
    await using api = await openApi(open);
    const address = '8.8.8.8';
    const rows = encodeURIComponent(JSON.stringify([{ address }]));
    const url = `/bans/import?list=allowlist&rows=${rows}`;
    const headers = { 'idempotency-key': 'once' };
    const first = await api.ask('POST', url, { headers });
    expect(first.exact).toMatchObject({ added: 1 });
    await comeFrom(api, address);
    const again = await api.ask('POST', url, { headers });
    expect(again.exact).toMatchObject({ added: 1, operationId: first.exact['operationId'] });
  });

  it('takes in what GET /bans gives, says what it cannot, and changes nothing in a dry run', async () => {
    await using api = await openApi(open);
    await api.ask('POST', '/bans?name=Bob&reason=Griefing');
    await api.ask('POST', '/bans?identity=5');
    const { body } = await api.ask('GET', '/bans');
    await api.ask('DELETE', '/bans?name=Bob');
    const rows = JSON.stringify([
      ...JSON.parse(body).bans,
      { address: '10.0.0.1' },
      { address: '8.8.8.8' },
      { identity: '7', until: '2020-01-01' },
      { reason: 'nobody' },
    ]);
    const url = `/bans/import?rows=${encodeURIComponent(rows)}`;
    const summary = { added: 2, alreadyThere: 1, over: 1, refused: [{ row: 2 }, { row: 5 }] };
    expect((await api.ask('POST', `${url}&dryRun=true`)).exact).toMatchObject(summary);
    expect((await api.ask('GET', '/bans')).exact['bans']).toHaveLength(1);
    expect((await api.ask('POST', url)).exact).toMatchObject(summary);
    const after = await api.ask('GET', '/bans');
    expect(after.exact['bans']).toMatchObject([
      { identity: '5' },
      { playerIdStr: ids.bob, reason: 'Griefing' },
      { address: '8.8.8.8' },
    ]);
  });

  it.each(['{}', 'x', '5'])('refuses what is no list of rows: %s', async (rows) => {
    const api = await refusing();
    expect((await api.ask('POST', `/bans/import?rows=${rows}`)).exact).toMatchObject({
      code: 'invalid-parameter',
    });
  });
});
