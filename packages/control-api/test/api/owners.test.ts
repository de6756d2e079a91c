import { readFileSync, writeFileSync } from 'node:fs';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { ids } from './stage/full-farm.ts';
import { openApi, testKey } from './stage/open-api.ts';
import { sharedApi } from './stage/shared-api.ts';

/** Of a busy machine. */
const patience = { timeout: 20_000 };

const networkId = '46265193014';
const platformId = '76561198000000001';

async function ownersIn(api: Awaited<ReturnType<typeof openApi>>) {
  const { farmhands } = (await api.ask('GET', '/farmhands')).exact as {
    farmhands: { idStr: string; owned: boolean; released: boolean; door?: string; origin?: string }[];
  };
  return new Map(farmhands.map(({ idStr, ...farmhand }) => [idStr, farmhand]));
}

/** A farmhand as it is answered where nobody can tell whose it is. */
function shownOf({ farm }: Awaited<ReturnType<typeof openApi>>, wanted: string) {
  const { id, stamp: _, ...shown } = farm.state.farmhands.find((slot) => slot.id === wanted) ?? { id: '' };
  return { id: BigInt(id), ...shown };
}

/** A map that an earlier process kept, and somebody has written over since. */
async function leaveMap(directory: string, text: string): Promise<void> {
  await using api = await openApi({ directory });
  await api.ask('POST', `/farmhands/rebind?name=Ann&identity=${platformId}`);
  writeFileSync(api.mapPath, text);
}

/** Nothing that is asked of it is done. */
const refusing = sharedApi();

describe('POST /farmhands/rebind', () => {
  /** Whose the farmhand was before is nothing to those who ask it. */
  const rebinding = sharedApi();

  it('answers with the door before and after, and never with the identity', async () => {
    await using api = await openApi();
    const first = await api.ask('POST', `/farmhands/rebind?name=bob&identity=${platformId}`);
    expect(first.exact).toEqual({
      success: true,
      message: 'Bob now belongs to this platform id',
      operationId: '1001',
      playerId: BigInt(ids.bob),
      playerIdStr: ids.bob,
      playerName: 'Bob',
      before: { owned: false, released: false },
      after: { owned: true, released: false, door: 'platform', origin: 'operator' },
    });
    const second = await api.ask('POST', `/farmhands/rebind?playerId=${ids.bob}&identity=000${networkId}`);
    expect(second.exact).toMatchObject({ before: { door: 'platform' }, after: { door: 'network' } });
    const told = [
      first.body,
      second.body,
      (await api.ask('GET', '/farmhands')).body,
      (await api.ask('GET', '/operations/1002')).body,
    ];
    for (const body of told) {
      expect(body).not.toContain(platformId);
      expect(body).not.toContain(networkId);
    }
    expect(readFileSync(api.mapPath, 'utf8')).toContain(`"id": "${networkId}"`);
  });

  it.each([
    ['76561197960265727', 'network'],
    ['76561197960265728', 'platform'],
    ['76561202255233023', 'platform'],
    ['76561202255233024', 'network'],
    ['0', 'network'],
    ['18446744073709551615', 'network'],
  ])('knows the id space of %s by its range: %s', async (identity, door) => {
    const api = await rebinding();
    const { exact } = await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${identity}`);
    expect(exact).toMatchObject({ after: { door } });
  });

  it.each(['', '-1', '+1', '%201', '1e3', '18446744073709551616', '٧', 'GN_5'])(
    'refuses %j as an identity, and changes nothing',
    async (identity) => {
      const api = await refusing();
      const answer = await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${identity}`);
      expect(answer.exact).toMatchObject({ status: 400, code: 'invalid-parameter' });
      expect(() => readFileSync(api.mapPath)).toThrow();
    },
  );

  it('takes farmhands that are online, and fresh slots by their id', async () => {
    await using api = await openApi();
    await api.ask('POST', `/farmhands/rebind?name=Ann&identity=${networkId}`);
    await api.ask('POST', `/farmhands/rebind?playerId=${ids.free}&identity=${platformId}`);
    const owners = await ownersIn(api);
    expect(owners.get(ids.ann)).toMatchObject({ owned: true, door: 'network', origin: 'operator' });
    expect(owners.get(ids.free)).toMatchObject({ owned: true, door: 'platform', isCustomized: false });
  });

  it('has the game take an old stamp off', async () => {
    await using api = await openApi();
    const bob = api.farm.state.farmhands.find(({ id }) => id === ids.bob);
    Object.assign(bob ?? {}, { stamp: '5' });
    api.farm.tell(api.farm.state);
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${networkId}`);
    await vi.waitFor(() => expect(api.farm.heard).toEqual(['clearStamp']), patience);
  });
});

describe('POST /farmhands/release', () => {
  it('marks a farmhand as free, and opens a fresh slot again', async () => {
    await using api = await openApi();
    await api.ask('POST', `/farmhands/rebind?playerId=${ids.free}&identity=${networkId}`);
    const free = await api.ask('POST', `/farmhands/release?playerId=${ids.free}`);
    expect(free.exact).toMatchObject({ before: { owned: true }, after: { owned: false, released: false } });
    const bob = await api.ask('POST', '/farmhands/release?name=Bob');
    expect(bob.exact).toMatchObject({
      message: 'Bob is free for the next player',
      before: { owned: false, released: false },
      after: { owned: false, released: true },
    });
    expect((await ownersIn(api)).get(ids.bob)).toMatchObject({ released: true, owned: false });
  });

  it('takes no slot in which a player is still creating their farmhand', async () => {
    await using api = await openApi();
    const free = api.farm.state.farmhands.find(({ id }) => id === ids.free);
    Object.assign(free ?? {}, { isOnline: true });
    api.farm.tell(api.farm.state);
    const { exact, statusCode } = await api.ask('POST', `/farmhands/release?playerId=${ids.free}`);
    expect([statusCode, exact['code']]).toEqual([409, 'farmhand-online']);
  });
});

describe.each([`rebind?identity=${networkId}&`, 'release?'])('POST /farmhands/%s…', (path) => {
  it.each([
    ['name=Nobody', 404, 'farmhand-not-found'],
    ['playerId=99', 404, 'farmhand-not-found'],
    ['name=KIM', 409, 'ambiguous-name'],
    ['', 400, 'conflicting-parameters'],
    ['name=Bob&playerId=42', 400, 'conflicting-parameters'],
    ['name=Bob&name=Ann', 400, 'invalid-parameter'],
    ['name=Bob&who=me', 400, 'unknown-parameter'],
  ])('%s is %i %s', async (query, status, code) => {
    const api = await refusing();
    const answer = await api.ask('POST', `/farmhands/${path}${query}`);
    expect([answer.statusCode, answer.exact['code']]).toEqual([status, code]);
    expect(() => readFileSync(api.mapPath)).toThrow();
  });

  it('lists everyone whom an ambiguous name fits', async () => {
    const api = await refusing();
    const { body } = await api.ask('POST', `/farmhands/${path}name=kim`);
    expect(body).toContain(`{"id":${ids.twinTwo},"idStr":"${ids.twinTwo}","name":"kim"}`);
  });

  it('needs a loaded farm', async () => {
    await using alone = await openApi({ game: false });
    const answer = await alone.ask('POST', `/farmhands/${path}name=Bob`);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.exact).toMatchObject({ code: 'game-unavailable', retry: true });
    await using unloaded = await openApi();
    unloaded.farm.tell({ farm: null });
    expect((await unloaded.ask('POST', `/farmhands/${path}name=Bob`)).statusCode).toBe(503);
  });

  it('leaves a farmhand that is an admin in the game to keys with admin', async () => {
    await using api = await openApi({ key: testKey });
    const bob = api.farm.state.farmhands.find(({ id }) => id === ids.bob);
    Object.assign(bob ?? {}, { isAdmin: true });
    api.farm.tell(api.farm.state);
    const secretOf = async (scopes: string) =>
      (await api.ask('POST', `/keys?name=${scopes}&scopes=${scopes}`)).exact['secret'];
    const headers = { authorization: `Bearer ${await secretOf('moderate')}` };
    for (const whom of ['name=Bob', `playerId=${ids.bob}`]) {
      const refused = await api.ask('POST', `/farmhands/${path}${whom}`, { headers });
      expect(refused.exact).toMatchObject({
        status: 403,
        code: 'insufficient-scope',
        detail: `Giving away the farmhand ${ids.bob}, an admin in the game, needs a key with the scope admin; the key "moderate" has moderate`,
      });
    }
    expect(() => readFileSync(api.mapPath)).toThrow();
    expect((await api.ask('POST', `/farmhands/${path}name=Ann`, { headers })).statusCode).toBe(200);
    const admins = { authorization: `Bearer ${await secretOf('admin')}` };
    expect((await api.ask('POST', `/farmhands/${path}name=Bob`, { headers: admins })).statusCode).toBe(200);
    const { exact } = await api.ask('GET', '/audit?outcome=denied');
    expect(exact['lines']).toHaveLength(2);
  });

  it('needs nothing of the game but that it tells its slots', async () => {
    await using api = await openApi({ capabilities: [] });
    expect((await api.ask('POST', `/farmhands/${path}name=Bob`)).statusCode).toBe(200);
  });

  it('gives a retry under the same key the first answer', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k-1' };
    const first = await api.ask('POST', `/farmhands/${path}name=Bob`, { headers });
    await api.ask('POST', `/farmhands/rebind?name=Bob&identity=${platformId}`);
    expect((await api.ask('POST', `/farmhands/${path}name=Bob`, { headers })).body).toBe(first.body);
    expect((await ownersIn(api)).get(ids.bob)).toMatchObject({ door: 'platform' });
    const other = await api.ask('POST', `/farmhands/${path}name=Ann`, { headers });
    expect(other.exact).toMatchObject({ code: 'idempotency-key-reused' });
  });

  it('changes nothing where the map cannot be read', async () => {
    using directory = temporaryDirectory();
    await leaveMap(directory.path, '{"version":2}');
    await using later = await openApi({ directory: directory.path });
    const answer = await later.ask('POST', `/farmhands/${path}name=Bob`);
    expect(answer.exact).toMatchObject({ status: 500, code: 'ownership-unwritable' });
    expect(readFileSync(later.mapPath, 'utf8')).toBe('{"version":2}');
    expect((await ownersIn(later)).get(ids.bob)).toEqual(shownOf(later, ids.bob));
    expect((await later.ask('GET', '/metrics')).body).not.toContain('steward_farmhands_owned{');
  });
});

describe('/status and /health/ready', () => {
  it('say what is wrong with the map and how to fix it', async () => {
    using directory = temporaryDirectory();
    await leaveMap(directory.path, 'garbage');
    await using later = await openApi({ directory: directory.path });
    await vi.waitFor(() => expect(later.ownership.view.problems).toHaveLength(1), patience);
    const { exact } = await later.ask('GET', '/status');
    expect(exact).toMatchObject({
      isJoinable: false,
      obstacles: [
        {
          code: 'ownership-incomplete',
          reason: expect.stringContaining('farmhand-ownership.json.corrupt-'),
          remedy: expect.stringContaining('POST /farmhands/rebind'),
          since: '2026-11-21T00:00:00.000Z',
        },
      ],
    });
    expect((await later.ask('GET', '/health/ready')).statusCode).toBe(503);
    expect((await later.ask('GET', '/metrics')).body).toContain(
      'steward_ownership_problem{problem="ownership-incomplete"} 1',
    );
    const owners = await ownersIn(later);
    expect(owners.get(ids.bob)).toEqual(shownOf(later, ids.bob));
    expect(owners.get(ids.free)).toMatchObject({ owned: false, released: false });
    expect((await later.ask('GET', '/metrics')).body).not.toContain('steward_farmhands_owned{');
    await later.ask('POST', '/settings?enforceFarmhandOwnership=false');
    expect((await later.ask('GET', '/status')).exact).toMatchObject({ obstacles: [] });
  });
});

it('counts joins by way and decision, and owners by door', async () => {
  await using api = await openApi();
  const slot = api.farm.state.farmhands.find(({ id }) => id === ids.free);
  const bob = api.farm.state.farmhands.find(({ id }) => id === ids.bob);
  if (slot === undefined || bob === undefined) throw new Error('the farm has changed');
  const { mayJoin } = api.ownership.questions;
  await mayJoin({ connectionId: 'GN_5', slot });
  await mayJoin({ connectionId: 'GN_5', slot: bob });
  const { body } = await api.ask('GET', '/metrics');
  for (const line of [
    'steward_joins_total{path="network-p2p",decision="allow"} 1',
    'steward_joins_total{path="network-p2p",decision="refuse"} 1',
    'steward_farmhands_owned{door="network"} 1',
    'steward_farmhands_owned{door="platform"} 0',
    'steward_ownership_problem{problem="ownership-unwritable"} 0',
  ])
    expect(body).toContain(line);
});
