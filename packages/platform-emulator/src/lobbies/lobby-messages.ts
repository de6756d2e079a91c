import type { CmSession } from '../cm/cm-connection.ts';
import { messageNumbers } from '../wire/numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import type { Lobby, LobbyNews } from './lobbies.ts';
import type { LobbyFilter } from './lobby-filters.ts';

// All in steammessages_clientserver_mms.proto, numbered 6601 to 6620.

export interface LobbyReference {
  app_id: number;
  steam_id_lobby: string;
}

interface LobbyResult extends LobbyReference {
  eresult: number;
}

interface LobbySettings {
  app_id: number;
  max_members: number;
  lobby_type: number;
  lobby_flags: number;
  metadata: Buffer;
}

interface LobbyMember {
  steam_id: string;
  persona_name: string;
  metadata: Buffer;
}

interface LobbyState extends LobbyReference {
  max_members: number;
  lobby_type: number;
  lobby_flags: number;
  steam_id_owner: string;
  metadata: Buffer;
  members: LobbyMember[];
}

interface ListedLobby {
  steam_id: string;
  max_members: number;
  lobby_type: number;
  lobby_flags: number;
  metadata: Buffer;
  num_members: number;
}

function message<Body extends object>(number: number, name: string) {
  return { message: number, type: messageType<Body>(name) };
}

export const lobbyMessages = {
  create: message<LobbySettings>(messageNumbers.ClientMMSCreateLobby, 'CMsgClientMMSCreateLobby'),
  created: message<LobbyResult>(
    messageNumbers.ClientMMSCreateLobbyResponse,
    'CMsgClientMMSCreateLobbyResponse',
  ),
  setData: message<LobbySettings & LobbyReference & { steam_id_member: string }>(
    messageNumbers.ClientMMSSetLobbyData,
    'CMsgClientMMSSetLobbyData',
  ),
  dataSet: message<LobbyResult>(
    messageNumbers.ClientMMSSetLobbyDataResponse,
    'CMsgClientMMSSetLobbyDataResponse',
  ),
  getData: message<LobbyReference>(messageNumbers.ClientMMSGetLobbyData, 'CMsgClientMMSGetLobbyData'),
  data: message<Partial<LobbyState> & LobbyReference & { num_members: number }>(
    messageNumbers.ClientMMSLobbyData,
    'CMsgClientMMSLobbyData',
  ),
  list: message<{ app_id: number; num_lobbies_requested: number; filters: LobbyFilter[] }>(
    messageNumbers.ClientMMSGetLobbyList,
    'CMsgClientMMSGetLobbyList',
  ),
  listed: message<{ app_id: number; eresult: number; lobbies: ListedLobby[] }>(
    messageNumbers.ClientMMSGetLobbyListResponse,
    'CMsgClientMMSGetLobbyListResponse',
  ),
  join: message<LobbyReference>(messageNumbers.ClientMMSJoinLobby, 'CMsgClientMMSJoinLobby'),
  joined: message<Partial<LobbyState> & LobbyReference & { chat_room_enter_response: number }>(
    messageNumbers.ClientMMSJoinLobbyResponse,
    'CMsgClientMMSJoinLobbyResponse',
  ),
  leave: message<LobbyReference>(messageNumbers.ClientMMSLeaveLobby, 'CMsgClientMMSLeaveLobby'),
  left: message<LobbyResult>(messageNumbers.ClientMMSLeaveLobbyResponse, 'CMsgClientMMSLeaveLobbyResponse'),
  userJoined: message<LobbyReference & { steam_id_user: string; persona_name: string }>(
    messageNumbers.ClientMMSUserJoinedLobby,
    'CMsgClientMMSUserJoinedLobby',
  ),
  userLeft: message<LobbyReference & { steam_id_user: string; persona_name: string }>(
    messageNumbers.ClientMMSUserLeftLobby,
    'CMsgClientMMSUserLeftLobby',
  ),
};

export function stateOf(lobby: Lobby): LobbyState {
  return {
    app_id: lobby.appId,
    steam_id_lobby: lobby.id,
    max_members: lobby.maxMembers,
    lobby_type: lobby.type,
    lobby_flags: lobby.flags,
    steam_id_owner: lobby.owner.account.steamId,
    metadata: lobby.metadata,
    members: [...lobby.members].map(([{ account }, metadata]) => ({
      steam_id: account.steamId,
      persona_name: account.name,
      metadata,
    })),
  };
}

/** Tells the other members, unasked: 6619 joined, 6620 left, 6612 the lobby's new data. */
export const newsToMembers: LobbyNews = {
  joined: (lobby, member) => announce(lobby, member, lobbyMessages.userJoined),
  left: (lobby, member) => announce(lobby, member, lobbyMessages.userLeft),
  changed(lobby, by) {
    for (const member of others(lobby, by)) {
      const body = { ...stateOf(lobby), num_members: lobby.members.size };
      member.connection.send(lobbyMessages.data.message, lobbyMessages.data.type, body);
    }
  },
};

function announce(lobby: Lobby, who: CmSession, news: typeof lobbyMessages.userJoined): void {
  for (const member of others(lobby, who)) {
    member.connection.send(news.message, news.type, {
      app_id: lobby.appId,
      steam_id_lobby: lobby.id,
      steam_id_user: who.account.steamId,
      persona_name: who.account.name,
    });
  }
}

function others(lobby: Lobby, but: CmSession): CmSession[] {
  return [...lobby.members.keys()].filter((member) => member !== but);
}
