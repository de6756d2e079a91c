import { type LobbyAnswer, lobbyAnswer } from '@steward/shared/sidecar/platform';
import { requestableVisibility } from '@steward/shared/wire-values';
import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { Emulated, gameApp } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const path = '/platform/lobby';
const publicType = 2;

async function begin(world: Emulated) {
  const { platform, directory } = world;
  const clock = new ManualClock(new Date());
  const token = platform.refreshToken('ann');
  const sidecar = await LocalSidecar.start({ platform, directory, token, clock });
  await sidecar.until('logged-in');
  return { sidecar, clock, platform };
}

async function put(sidecar: LocalSidecar, body: object): Promise<LobbyAnswer> {
  return lobbyAnswer.parse((await sidecar.put(path, body)).json());
}

async function lobbyOf(sidecar: LocalSidecar): Promise<LobbyAnswer> {
  return lobbyAnswer.parse((await sidecar.get(path)).json());
}

/** Both sides of the wire write the metadata as key, zero, value, zero. */
function holds({ metadata }: { metadata: Buffer }, key: string, value: string): boolean {
  return metadata.includes(Buffer.from(`\u0001${key}\0${value}\0`));
}

it.each(requestableVisibility.options)('is public and listed when %s is asked for', async (visibility) => {
  await using world = await Emulated.start();
  const { sidecar, platform } = await begin(world);
  await using _ = sidecar;
  const answer = await put(sidecar, { visibility, max_members: 8, game_server_id: '90071992547409921' });
  expect(answer).toMatchObject({ state: 'open', visibility: 'public', max_members: 8, created: 1 });
  const [listed] = platform.lobbies.listed(gameApp);
  expect(listed).toMatchObject({ id: answer.lobby_id, type: publicType, maxMembers: 8 });
  expect(listed && holds(listed, '__gameserverSteamID', '90071992547409921')).toBe(true);
});

it('merges what is set, and forgets nothing', async () => {
  await using world = await Emulated.start();
  const { sidecar, platform } = await begin(world);
  await using _ = sidecar;
  const first = await put(sidecar, { protocol_version: '1.6', metadata: { farm: 'Hill', day: '1' } });
  const second = await put(sidecar, { visibility: 'private', metadata: { day: '2' } });
  expect(second.lobby_id).toBe(first.lobby_id);
  expect(second.metadata).toMatchObject({
    farm: 'Hill',
    day: '2',
    protocolVersion: '1.6',
    __gameserverIP: '0',
  });
  const [listed] = platform.lobbies.listed(gameApp);
  expect(listed?.type).toBe(publicType);
  expect(listed && holds(listed, 'farm', 'Hill') && holds(listed, 'day', '2')).toBe(true);
});

it('takes as many entries as it says, over all requests, and remembers nothing of one too many', async () => {
  await using world = await Emulated.start();
  const { sidecar } = await begin(world);
  await using _ = sidecar;
  const entries = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_none, index) => [`entry ${from + index}`, 'x']));
  await put(sidecar, { protocol_version: '1.6', metadata: entries(0, 60) });
  const whole = await sidecar.put(path, { metadata: entries(60, 100) });
  expect(whole.statusCode).toBe(200);
  const refused = await sidecar.put(path, { max_members: 9, metadata: entries(100, 101) });
  expect(refused.json()).toMatchObject({
    status: 400,
    detail: expect.stringContaining('more than 100 entries'),
  });
  expect(await lobbyOf(sidecar)).toEqual(lobbyAnswer.parse(whole.json()));
});

describe('is made again, whole, with its new id told', () => {
  it('after the session was lost', async () => {
    await using world = await Emulated.start();
    const { sidecar, clock, platform } = await begin(world);
    await using _ = sidecar;
    const first = await put(sidecar, { metadata: { farm: 'Hill' }, max_members: 6 });
    platform.dropConnections();
    await sidecar.until('retrying');
    expect(await lobbyOf(sidecar)).toMatchObject({ state: 'lost', reason: expect.any(String) });
    expect((await lobbyOf(sidecar)).lobby_id).toBeUndefined();
    clock.advance(10_000);
    await sidecar.until('logged-in');
    // A request waits for what is under way before it.
    const second = await put(sidecar, {});
    expect(second).toMatchObject({ state: 'open', created: 2, max_members: 6, metadata: { farm: 'Hill' } });
    expect(second.lobby_id).not.toBe(first.lobby_id);
    expect(platform.lobbies.listed(gameApp).map(({ id }) => id)).toEqual([second.lobby_id]);
  });

  it('when the platform has closed it, at the next change or within a minute', async () => {
    await using world = await Emulated.start();
    const { sidecar, clock, platform } = await begin(world);
    await using _ = sidecar;
    await put(sidecar, { metadata: { farm: 'Hill' } });
    closeAll(world);
    expect(await put(sidecar, {})).toMatchObject({ state: 'open', created: 2 });
    closeAll(world);
    clock.advance(60_000);
    await platform.record.seen({ path: 'ClientMMSCreateLobby' }, 3);
    expect(await put(sidecar, {})).toMatchObject({ created: 3, metadata: { farm: 'Hill' } });
  });
});

it('is remembered when it is asked for before anybody is logged in', async () => {
  await using world = await Emulated.start();
  const { platform, directory } = world;
  const clock = new ManualClock(new Date());
  await using sidecar = await LocalSidecar.start({ platform, directory, clock });
  const answer = await sidecar.put(path, { metadata: { farm: 'Hill' } });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({
    code: 'platform-unavailable',
    state: 'no-account',
    detail: expect.stringContaining('The request is remembered'),
  });
  expect(await lobbyOf(sidecar)).toMatchObject({ state: 'creating' });
  await world.saveSession('ann');
  clock.advance(5_000);
  await platform.record.seen({ path: 'ClientMMSCreateLobby' });
  expect(await put(sidecar, {})).toMatchObject({ state: 'open', created: 1, metadata: { farm: 'Hill' } });
});

it('is tried again when the platform refuses it', async () => {
  await using world = await Emulated.start();
  const { sidecar, clock, platform } = await begin(world);
  await using _ = sidecar;
  platform.faults.add({ when: { path: 'ClientMMSCreateLobby' }, times: 1, fault: { eresult: 20 } });
  const refused = await sidecar.put(path, { metadata: { farm: 'Hill' } });
  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBeDefined();
  clock.advance(5_000);
  await platform.record.seen({ path: 'ClientMMSCreateLobby' }, 2);
  expect(await put(sidecar, {})).toMatchObject({ state: 'open' });
});

it.each([
  ['one too many', 25, /LimitExceeded/],
  ['any to this account', 15, /may not open a lobby/],
])('is not asked for before next_retry where the platform refuses %s', async (_what, eresult, why) => {
  await using world = await Emulated.start();
  const { sidecar, clock, platform } = await begin(world);
  await using _ = sidecar;
  const creation = { path: 'ClientMMSCreateLobby' };
  platform.faults.add({ when: creation, times: 1, fault: { eresult } });
  expect((await sidecar.put(path, { metadata: { farm: 'Hill' } })).statusCode).toBe(503);
  for (let looks = 0; looks < 5; looks += 1) {
    clock.advance(5_000);
    expect((await sidecar.put(path, {})).statusCode).toBe(503);
  }
  platform.kick('ann', 20);
  await sidecar.until('retrying');
  clock.advance(5_000);
  await sidecar.until('logged-in');
  expect((await sidecar.put(path, {})).json()).toMatchObject({ reason: expect.stringMatching(why) });
  expect(platform.record.count(creation)).toBe(1);
  const { next_retry = '' } = await lobbyOf(sidecar);
  expect(Date.parse(next_retry) - clock.date().getTime()).toBe(30_000);
  clock.advance(30_000);
  await platform.record.seen(creation, 2);
  const open = await put(sidecar, {});
  expect(open).toMatchObject({ state: 'open', created: 1, metadata: { farm: 'Hill' } });
  expect(open.next_retry).toBeUndefined();
});

it.each([
  [{ max_members: 0 }],
  [{ max_members: 1.5 }],
  [{ visibility: 'secret' }],
  [{ game_server_id: 9007199 }],
  [{ metadata: { farm: 1 } }],
  [{ metadata: { 'a\0b': 'c' } }],
  [{ lobby: 'x' }],
])('refuses %j', async (body) => {
  await using world = await Emulated.start();
  await using sidecar = await LocalSidecar.start({ platform: world.platform, directory: world.directory });
  const answer = await sidecar.put(path, body);
  expect(answer.statusCode).toBe(400);
  expect(await lobbyOf(sidecar)).toMatchObject({ state: 'none' });
});

function closeAll({ platform }: Emulated): void {
  for (const lobby of platform.lobbies.all) platform.lobbies.leave(lobby, lobby.owner);
}
