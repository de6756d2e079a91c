import { describe, expect, it, vi } from 'vitest';
import type { GameBridge } from '../../src/game/game-bridge.ts';
import type { ShownSection } from '../../src/game/state/bridge-state.ts';
import { hello, settled } from '../game/stage/stage.ts';
import { fullFarm, ids } from './stage/full-farm.ts';
import { openApi } from './stage/open-api.ts';
import { reads } from './stage/reads.ts';
import { sharedApi } from './stage/shared-api.ts';

describe('a read', () => {
  const alone = sharedApi({ game: false });

  it.each([...reads, '/settings'])(
    '%s is 200 before there was a game, and after one has gone',
    async (path) => {
      expect((await (await alone()).ask('GET', path)).statusCode).toBe(200);
    },
  );

  it.each(reads)('%s tells how old it is, and is 304 to who has it', async (path) => {
    await using api = await openApi();
    api.clock.advance(1_234);
    const first = await api.ask('GET', path);
    expect(first.headers['x-snapshot-age-ms']).toBe('1234');
    const etag = String(first.headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await api.ask('GET', path, { headers: { 'if-none-match': known } });
      expect(again.statusCode).toBe(304);
      expect(again.body).toBe('');
    }
    expect((await api.ask('GET', path, { headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200);
    const head = await api.ask('HEAD', path);
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(first.body)),
    ]);
  });

  it.each(reads)('%s tells the age of what it shows, whatever else was told since', async (path) => {
    await using api = await openApi();
    using client = await api.listen();
    const age: Record<ShownSection, number> = {
      status: 1,
      players: 20,
      farmhands: 10,
      cabins: 30,
      rendering: 40,
      stats: 50,
      settings: 60,
    };
    vi.spyOn(api.bridge as GameBridge, 'pushedAt').mockImplementation(
      (sections) => new Date(api.clock.date().getTime() - Math.max(...sections.map((name) => age[name]))),
    );
    const wanted: Partial<Record<string, number>> = {
      '/players': 20,
      '/farmhands': 20,
      '/cabins': 30,
      '/rendering': 40,
      '/stats': 50,
    };
    for (const way of [{}, { client }])
      expect((await api.ask('GET', path, way)).headers['x-snapshot-age-ms']).toBe(String(wanted[path] ?? 1));
  });

  it('says when the game started by its statistics, and not by what it told since', async () => {
    await using api = await openApi();
    const started = async () => (await api.ask('GET', '/stats')).exact['startedAtUtc'];
    const before = await started();
    expect(before).toMatch(/Z$/);
    api.clock.advance(4_000);
    api.farm.tell({ rendering: { fps: 3 } });
    await settled();
    expect((await api.ask('GET', '/rendering')).exact).toMatchObject({ fps: 3 });
    expect(await started()).toBe(before);
  });

  it('has other bytes and another tag once the game has told something new', async () => {
    await using api = await openApi();
    const before = await api.ask('GET', '/time');
    await api.ask('POST', '/time?value=1300');
    const after = await api.ask('GET', '/time', {
      headers: { 'if-none-match': String(before.headers.etag) },
    });
    expect(after.exact).toMatchObject({ timeOfDay: 1300 });
  });

  it('passes over parameters that it does not have', async () => {
    await using api = await openApi();
    expect((await api.ask('GET', '/status?_=1&_=2')).statusCode).toBe(200);
  });
});

describe('/status', () => {
  it('has the fields that existing bots read', async () => {
    await using api = await openApi();
    const { exact } = await api.ask('GET', '/status');
    expect(exact).toMatchObject({
      playerCount: 1,
      maxPlayers: 10,
      steamInviteCode: 'SU0W2PIRA9U0',
      gogInviteCode: 'GU0W2PIRA9U0',
      isOnline: true,
      isReady: true,
      lastUpdated: '2026-11-21T00:00:00.000Z',
      farmTypeKey: 'Standard',
      version: 1,
      isJoinable: true,
      obstacles: [],
    });
  });

  it('gives no code that cannot work', async () => {
    await using api = await openApi();
    const { networks } = api.farm.state;
    api.farm.tell({ networks: { ...networks, relay: {} } });
    expect((await api.ask('GET', '/status')).exact).not.toHaveProperty('steamInviteCode');
    expect((await api.ask('GET', '/invite-code')).exact).toMatchObject({ inviteCode: 'GU0W2PIRA9U0' });
    api.farm.tell({ networks: { ...networks, network: { signedIn: false, why: 'the ticket was refused' } } });
    expect((await api.ask('GET', '/status')).exact).not.toHaveProperty('gogInviteCode');
    expect((await api.ask('GET', '/invite-code')).exact).toEqual({
      error:
        'There is no invite code: PLATFORM_AUTH_URL is empty: without a sidecar there are no invite codes. Set PLATFORM_AUTH_URL to get invite codes',
    });
  });

  it('says that nobody is online once the game has gone, and why nobody can join', async () => {
    await using api = await openApi();
    await api.bridge.stop();
    const { exact } = await api.ask('GET', '/status');
    expect(exact).toMatchObject({
      isOnline: false,
      playerCount: 0,
      farmName: 'Sunnybrook',
      isJoinable: false,
    });
    expect(exact['obstacles']).toMatchObject([{ code: 'no-game' }]);
    expect((await api.ask('GET', '/players')).exact).toMatchObject({ players: [] });
    expect((await api.ask('GET', '/stats')).exact).toMatchObject({ tps: 0, fps: 0 });
    expect((await api.ask('GET', '/metrics')).body).toContain('steward_game_ticks_per_second 0\n');
  });

  it('shows nobody of a game that was there before as online, until one that has come back has told everything', async () => {
    await using api = await openApi();
    const shown = async () => {
      const [status, players, farmhands, stats] = await Promise.all(
        ['/status', '/players', '/farmhands', '/stats'].map(
          async (path) => (await api.ask('GET', path)).exact,
        ),
      );
      const online = farmhands?.['farmhands'] as readonly { readonly isOnline: boolean }[];
      const { isOnline, isReady, playerCount, farmName } = status ?? {};
      return {
        status: { isOnline, isReady, playerCount, farmName },
        players: players?.['players'],
        online: online.filter((each) => each.isOnline).length,
        isMeasured: stats?.['tps'] !== 0,
        inMetrics: (await api.ask('GET', '/metrics')).body.match(/^steward_players (\d+)$/m)?.[1],
      };
    };
    const nobody = {
      status: { isOnline: false, isReady: false, playerCount: 0, farmName: 'Sunnybrook' },
      players: [],
      online: 0,
      isMeasured: false,
      inMetrics: '0',
    };
    api.gameGoes();
    await settled();
    const back = api.mode.connect();
    back.say(hello);
    await settled();
    expect(api.bridge.state.link.status).toBe('live');
    expect(await shown()).toEqual(nobody);
    const { farm, ...rest } = fullFarm();
    back.say({ jsonrpc: '2.0', method: 'state', params: rest });
    await settled();
    expect(await shown()).toEqual(nobody);
    back.say({ jsonrpc: '2.0', method: 'state', params: { farm } });
    await settled();
    expect(await shown()).toMatchObject({
      status: { isOnline: true, playerCount: 1 },
      players: [{ name: 'Ann' }],
      online: 1,
      isMeasured: true,
      inMetrics: '1',
    });
  });
});

it('writes ids with every digit, and beside them as text', async () => {
  await using api = await openApi();
  const { body } = await api.ask('GET', '/farmhands');
  for (const id of Object.values(ids)) expect(body).toContain(`"id":${id},"idStr":"${id}"`);
  expect((await api.ask('GET', '/players')).body).toContain(`"id":${ids.ann},"idStr":"${ids.ann}"`);
  const cabins = await api.ask('GET', '/cabins');
  expect(cabins.body).toContain(`"ownerId":${ids.bob},"ownerIdStr":"${ids.bob}"`);
  expect(cabins.body).toContain(
    `"savedPositionPlayerIds":[${ids.ann}],"savedPositionPlayerIdStrs":["${ids.ann}"]`,
  );
  expect(cabins.exact).toMatchObject({ totalCount: 5, assignedCount: 4, availableCount: 1 });
});

describe('/health', () => {
  it('is ok while the game ticks, degraded when it does not, and 200 always', async () => {
    await using api = await openApi();
    expect((await api.ask('GET', '/health')).exact).toEqual({
      status: 'ok',
      timestamp: '2026-11-21T00:00:00.000Z',
      lastTickMs: 0,
      pendingActions: 0,
      gameAvailable: true,
      tickCount: 1,
      game: { status: 'live', since: '2026-11-21T00:00:00.000Z' },
      isFrozen: false,
    });
    api.clock.advance(5_001);
    expect((await api.ask('GET', '/health')).exact).toMatchObject({ status: 'degraded', isFrozen: true });
    expect((await api.ask('GET', '/status')).exact).toMatchObject({ isOnline: true, isReady: false });
  });

  it('tells nothing of the game that was there before one that has not told everything yet', async () => {
    await using api = await openApi();
    const told = async () => {
      const { pendingActions, gameAvailable, isFrozen } = (await api.ask('GET', '/health')).exact;
      return { pendingActions, gameAvailable, isFrozen };
    };
    api.farm.tell({ stats: { ...api.farm.state.stats, pendingActions: 7 } });
    await settled();
    expect(await told()).toEqual({ pendingActions: 7, gameAvailable: true, isFrozen: false });
    api.gameGoes();
    await settled();
    expect(await told()).toEqual({ pendingActions: 0, gameAvailable: false, isFrozen: true });
    const back = api.mode.connect();
    back.say(hello);
    await settled();
    back.say({ jsonrpc: '2.0', method: 'tick', params: { count: 1 } });
    await settled();
    expect(await told()).toEqual({ pendingActions: 0, gameAvailable: undefined, isFrozen: false });
    back.say({ jsonrpc: '2.0', method: 'state', params: fullFarm() });
    await settled();
    expect(await told()).toMatchObject({ pendingActions: 0, gameAvailable: true });
  });

  it('has a sibling that says why players cannot join', async () => {
    await using api = await openApi();
    expect((await api.ask('GET', '/health/ready')).exact).toMatchObject({ ready: true, obstacles: [] });
    const { networks, status } = api.farm.state;
    api.farm.tell({
      status: { ...status, isReady: false },
      networks: { ...networks, network: { signedIn: false }, directIp: { listening: false } },
    });
    const answer = await api.ask('GET', '/health/ready');
    expect(answer.statusCode).toBe(503);
    expect(answer.exact).toMatchObject({
      ready: false,
      obstacles: [{ code: 'not-ready' }, { code: 'no-way-in' }],
    });
    expect(answer.headers['retry-after']).toBe('5');
    api.farm.tell({ status: { ...status, isOnline: false } });
    expect((await api.ask('GET', '/health/ready')).exact).toMatchObject({ obstacles: [{ code: 'no-farm' }] });
    api.clock.advance(5_001);
    expect((await api.ask('GET', '/health/ready')).exact).toMatchObject({
      obstacles: [{ code: 'game-frozen' }],
    });
  });
});

it('answers plain HTTP at /ws with 426', async () => {
  await using api = await openApi();
  const answer = await api.ask('GET', '/ws');
  expect(answer.statusCode).toBe(426);
  expect(answer.headers.upgrade).toBe('websocket');
});

it('measures players, farm time, ticks, the bridge, requests and the event loop', async () => {
  await using api = await openApi();
  await api.ask('GET', '/status');
  const { body } = await api.ask('GET', '/metrics');
  for (const line of [
    'steward_players 1',
    'steward_farm_time_of_day 930',
    'steward_game_ticks_per_second 59.9',
    'steward_bridge_state{state="live"} 1',
    'steward_bridge_state{state="gone"} 0',
    'steward_http_request_duration_seconds_count{method="GET",route="/status",status="200"} 1',
  ])
    expect(body).toContain(line);
  expect(body).toContain('nodejs_eventloop_lag_seconds');
});
