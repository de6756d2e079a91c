import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Platform } from '../src/running-platform.ts';
import { encodeKeyValues } from '../src/wire/key-values.ts';
import { lobbyCall, unasked, watchLobbyTraffic } from './clients/lobby-client.ts';
import { loggedOn, type SteamUser } from './clients/steam-user.ts';
import { gameApp, testPlatform } from './clients/test-platform.ts';

const visibility = { private: 0, friendsOnly: 1, public: 2, invisible: 3 } as const;
const app_id = gameApp;

function metadata(values: Record<string, string>): Buffer {
  return encodeKeyValues(values);
}

async function create(client: SteamUser, settings: object = {}): Promise<string> {
  const { steam_id_lobby, eresult } = await lobbyCall(client, 'ClientMMSCreateLobby', {
    app_id,
    max_members: 8,
    lobby_type: visibility.public,
    lobby_flags: 0,
    metadata: metadata({ protocolVersion: '1.6' }),
    ...settings,
  });
  expect(eresult).toBe(1);
  return String(steam_id_lobby);
}

async function listed(client: SteamUser, filters: object[] = []): Promise<unknown[]> {
  const { lobbies } = await lobbyCall(client, 'ClientMMSGetLobbyList', {
    app_id,
    num_lobbies_requested: 10,
    filters,
  });
  return (lobbies as { steam_id: string }[]).map(({ steam_id }) => steam_id);
}

async function twoClients(platform: Platform): Promise<[SteamUser, SteamUser]> {
  const [host, guest] = await Promise.all([loggedOn(platform, 'host'), loggedOn(platform, 'guest')]);
  watchLobbyTraffic(host);
  watchLobbyTraffic(guest);
  return [host, guest];
}

it('creates a lobby that anyone can look at, list and join', async () => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const steam_id_lobby = await create(host);
  expect(steam_id_lobby).toMatch(/^1097752409\d+$/);
  expect(await listed(guest)).toEqual([steam_id_lobby]);
  const joined = unasked(host, 'ClientMMSUserJoinedLobby');
  const entered = await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby });
  expect(entered).toMatchObject({
    chat_room_enter_response: 1,
    steam_id_owner: platform.accounts.get('host').steamId,
    metadata: metadata({ protocolVersion: '1.6' }),
  });
  expect(await joined).toMatchObject({ steam_id_user: platform.accounts.get('guest').steamId });
  const data = await lobbyCall(
    guest,
    'ClientMMSGetLobbyData',
    { app_id, steam_id_lobby },
    'ClientMMSLobbyData',
  );
  expect(data).toMatchObject({ num_members: 2, max_members: 8, lobby_type: visibility.public });
});

it('changes data and visibility at its owner’s word only, and tells the members', async () => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const steam_id_lobby = await create(host);
  await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby });
  const change = { app_id, steam_id_lobby, max_members: 4, lobby_type: visibility.private, lobby_flags: 0 };
  const told = unasked(guest, 'ClientMMSLobbyData');
  const set = await lobbyCall(host, 'ClientMMSSetLobbyData', { ...change, metadata: metadata({ a: 'b' }) });
  expect(set).toMatchObject({ eresult: 1 });
  expect(await told).toMatchObject({ max_members: 4, metadata: metadata({ a: 'b' }) });
  expect(await lobbyCall(guest, 'ClientMMSSetLobbyData', change)).toMatchObject({ eresult: 15 });
  expect(await listed(guest)).toEqual([]);
});

it('lets a member set their own data', async () => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const steam_id_lobby = await create(host);
  await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby });
  const told = unasked(host, 'ClientMMSLobbyData');
  const steam_id_member = platform.accounts.get('guest').steamId;
  const mine = metadata({ ready: '1' });
  await lobbyCall(guest, 'ClientMMSSetLobbyData', {
    app_id,
    steam_id_lobby,
    steam_id_member,
    metadata: mine,
  });
  expect((await told)['members']).toContainEqual({
    steam_id: steam_id_member,
    persona_name: 'guest',
    metadata: mine,
  });
});

it.each([
  ['private', visibility.private, 3],
  ['friends-only', visibility.friendsOnly, 3],
  ['invisible', visibility.invisible, 1],
])('answers a stranger who would join a %s lobby with %i', async (_name, lobby_type, response) => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const steam_id_lobby = await create(host, { lobby_type });
  const answer = await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby });
  expect(answer['chat_room_enter_response']).toBe(response);
});

it('neither admits to nor lists a full lobby', async () => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const steam_id_lobby = await create(host, { max_members: 1 });
  expect(await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby })).toMatchObject({
    chat_room_enter_response: 4,
  });
  expect(await listed(guest)).toEqual([]);
});

it('filters its list by metadata and by free places', async () => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const old = await create(host, {
    metadata: metadata({ protocolVersion: '1.5', players: '3' }),
    max_members: 2,
  });
  // Of another account: one has no more than one.
  const current = await create(guest, { metadata: metadata({ protocolVersion: '1.6', players: '7' }) });
  const filter = (key: string, value: string, comparision: number, filter_type: number) => [
    { key, value, comparision, filter_type },
  ];
  expect(await listed(guest, filter('protocolVersion', '1.6', 0, 0))).toEqual([current]);
  expect(await listed(guest, filter('protocolVersion', '1.6', 3, 0))).toEqual([old]);
  expect(await listed(guest, filter('players', '5', -1, 1))).toEqual([old]);
  expect(await listed(guest, filter('', '2', 0, 2))).toEqual([current]);
  expect(await listed(guest)).toEqual([old, current]);
});

it('passes to whoever is left when its owner leaves, and ends with the last', async () => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const steam_id_lobby = await create(host);
  await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby });
  const left = unasked(guest, 'ClientMMSUserLeftLobby');
  expect(await lobbyCall(host, 'ClientMMSLeaveLobby', { app_id, steam_id_lobby })).toMatchObject({
    eresult: 1,
  });
  expect(await left).toMatchObject({ steam_id_user: platform.accounts.get('host').steamId });
  const change = { app_id, steam_id_lobby, max_members: 3 };
  expect(await lobbyCall(guest, 'ClientMMSSetLobbyData', change)).toMatchObject({ eresult: 1 });
  await lobbyCall(guest, 'ClientMMSLeaveLobby', { app_id, steam_id_lobby });
  expect(await lobbyCall(guest, 'ClientMMSSetLobbyData', change)).toMatchObject({ eresult: 42 });
});

it('is the only regular one of its account, whichever session opens or joins another', async () => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const elsewhere = await loggedOn(platform, 'host', { logonID: 1 });
  const first = await create(host);
  await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby: first });
  const left = unasked(guest, 'ClientMMSUserLeftLobby');
  const second = await create(elsewhere);
  expect(await left).toMatchObject({
    steam_id_lobby: first,
    steam_id_user: platform.accounts.get('host').steamId,
  });
  const change = { app_id, steam_id_lobby: first, max_members: 3 };
  expect(await lobbyCall(host, 'ClientMMSSetLobbyData', change)).toMatchObject({ eresult: 15 });
  await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby: second });
  // Nobody is left in the first.
  expect(await lobbyCall(host, 'ClientMMSSetLobbyData', change)).toMatchObject({ eresult: 42 });
});

it('stands beside no more than two invisible ones of its account', async () => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const hidden = { lobby_type: visibility.invisible };
  const [regular, first] = [await create(host), await create(host, hidden)];
  const second = await create(host, hidden);
  expect(await listed(guest)).toEqual([regular, first, second]);
  const third = await create(host, hidden);
  expect(await listed(guest)).toEqual([regular, second, third]);
  // One that comes out of hiding takes the place of the regular one.
  const seen = { app_id, steam_id_lobby: third, lobby_type: visibility.public };
  expect(await lobbyCall(host, 'ClientMMSSetLobbyData', seen)).toMatchObject({ eresult: 1 });
  expect(await listed(guest)).toEqual([second, third]);
});

it('dies with the session of its owner: nobody finds it, and setting its data is NoMatch', async () => {
  const platform = await testPlatform();
  const [host, guest] = await twoClients(platform);
  const steam_id_lobby = await create(host);
  await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby });
  const left = unasked(guest, 'ClientMMSUserLeftLobby');
  const back = once(host, 'loggedOn');
  platform.kick('host', 20);
  await left;
  expect(await listed(guest)).toEqual([]);
  await back;
  const change = { app_id, steam_id_lobby, max_members: 3 };
  expect(await lobbyCall(host, 'ClientMMSSetLobbyData', change)).toMatchObject({ eresult: 42 });
  const entered = await lobbyCall(guest, 'ClientMMSJoinLobby', { app_id, steam_id_lobby });
  expect(entered['chat_room_enter_response']).toBe(2);
});

it('is for owners of the app', async () => {
  const platform = await testPlatform();
  const stranger = await loggedOn(platform, 'stranger');
  const answer = await lobbyCall(stranger, 'ClientMMSCreateLobby', { app_id, max_members: 2, lobby_type: 2 });
  expect(answer).toMatchObject({ eresult: 15 });
});
