import { type CmHandler, exchange } from '../cm/cm-message.ts';
import { eresult } from '../wire/numbers.ts';
import { admitsStrangers, hasRoom, type Lobbies, type Lobby, lobbyTypes } from './lobbies.ts';
import { passes } from './lobby-filters.ts';
import { type LobbyReference, lobbyMessages, stateOf } from './lobby-messages.ts';

/** EChatRoomEnterResponse. */
const entry = { success: 1, doesntExist: 2, notAllowed: 3, full: 4, error: 5 } as const;

const defaultListLength = 50;

export function lobbyHandlers(lobbies: Lobbies): CmHandler[] {
  return [create(lobbies), setData(lobbies), getData(lobbies), list(lobbies), join(lobbies), leave(lobbies)];
}

function reference(request: Partial<LobbyReference>): LobbyReference {
  return { app_id: request.app_id ?? 0, steam_id_lobby: request.steam_id_lobby ?? '0' };
}

function create(lobbies: Lobbies): CmHandler {
  return exchange({
    request: lobbyMessages.create,
    response: lobbyMessages.created,
    answer(request, session) {
      const { app_id = 0, lobby_type = lobbyTypes.private, lobby_flags = 0, max_members = 0 } = request;
      const metadata = Buffer.from(request.metadata ?? []);
      if (!session.account.owns.includes(app_id)) {
        return { app_id, steam_id_lobby: '0', eresult: eresult.accessDenied };
      }
      const settings = {
        appId: app_id,
        type: lobby_type,
        flags: lobby_flags,
        maxMembers: max_members,
        metadata,
      };
      return { app_id, steam_id_lobby: lobbies.create(session, settings).id, eresult: eresult.ok };
    },
    failure: ({ app_id = 0 }, failed) => ({ app_id, steam_id_lobby: '0', eresult: failed }),
  });
}

/** The owner sets the lobby's own data, whole; any member sets theirs. NoMatch means that the lobby is gone. */
function setData(lobbies: Lobbies): CmHandler {
  return exchange({
    request: lobbyMessages.setData,
    response: lobbyMessages.dataSet,
    answer(request, session) {
      const answered = (result: number) => ({ ...reference(request), eresult: result });
      const lobby = lobbies.find(request.steam_id_lobby, request.app_id);
      if (lobby === undefined) return answered(eresult.noMatch);
      const metadata = request.metadata === undefined ? undefined : Buffer.from(request.metadata);
      if (request.steam_id_member === session.account.steamId && lobby.members.has(session)) {
        lobbies.changeMember(lobby, session, metadata ?? Buffer.alloc(0));
        return answered(eresult.ok);
      }
      if (lobby.owner !== session) return answered(eresult.accessDenied);
      lobbies.change(lobby, session, {
        ...(request.lobby_type === undefined ? {} : { type: request.lobby_type }),
        ...(request.lobby_flags === undefined ? {} : { flags: request.lobby_flags }),
        ...(request.max_members === undefined ? {} : { maxMembers: request.max_members }),
        ...(metadata === undefined ? {} : { metadata }),
      });
      return answered(eresult.ok);
    },
    failure: (request, failed) => ({ ...reference(request), eresult: failed }),
  });
}

/** A lobby that is gone is shown as one without members: this message has no room for a result. */
function getData(lobbies: Lobbies): CmHandler {
  return exchange({
    request: lobbyMessages.getData,
    response: lobbyMessages.data,
    answer(request) {
      const lobby = lobbies.find(request.steam_id_lobby, request.app_id);
      if (lobby === undefined) return { ...reference(request), num_members: 0 };
      return { ...stateOf(lobby), num_members: lobby.members.size };
    },
  });
}

function list(lobbies: Lobbies): CmHandler {
  return exchange({
    request: lobbyMessages.list,
    response: lobbyMessages.listed,
    answer({ app_id = 0, num_lobbies_requested = defaultListLength, filters = [] }) {
      const found = lobbies.listed(app_id).filter((lobby) => passes(lobby, filters));
      return { app_id, eresult: eresult.ok, lobbies: found.slice(0, num_lobbies_requested).map(listed) };
    },
    failure: ({ app_id = 0 }, failed) => ({ app_id, eresult: failed, lobbies: [] }),
  });
}

function listed(lobby: Lobby) {
  const { max_members, lobby_type, lobby_flags, metadata } = stateOf(lobby);
  return {
    steam_id: lobby.id,
    max_members,
    lobby_type,
    lobby_flags,
    metadata,
    num_members: lobby.members.size,
  };
}

function join(lobbies: Lobbies): CmHandler {
  return exchange({
    request: lobbyMessages.join,
    response: lobbyMessages.joined,
    answer(request, session) {
      const lobby = lobbies.find(request.steam_id_lobby, request.app_id);
      if (lobby === undefined) return { ...reference(request), chat_room_enter_response: entry.doesntExist };
      if (!lobby.members.has(session)) {
        const refusal = admitsStrangers(lobby) ? (hasRoom(lobby) ? undefined : entry.full) : entry.notAllowed;
        if (refusal !== undefined) return { ...reference(request), chat_room_enter_response: refusal };
        lobbies.join(lobby, session);
      }
      return { ...stateOf(lobby), chat_room_enter_response: entry.success };
    },
    failure: (request) => ({ ...reference(request), chat_room_enter_response: entry.error }),
  });
}

function leave(lobbies: Lobbies): CmHandler {
  return exchange({
    request: lobbyMessages.leave,
    response: lobbyMessages.left,
    answer(request, session) {
      const lobby = lobbies.find(request.steam_id_lobby, request.app_id);
      const isMember = lobby?.members.has(session) === true;
      if (lobby !== undefined && isMember) lobbies.leave(lobby, session);
      return { ...reference(request), eresult: isMember ? eresult.ok : eresult.noMatch };
    },
    failure: (request, failed) => ({ ...reference(request), eresult: failed }),
  });
}
