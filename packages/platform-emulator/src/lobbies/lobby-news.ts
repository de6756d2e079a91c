import type { CmSession } from '../cm/cm-connection.ts';
import type { LobbyNews } from './lobbies.ts';
import type { Lobby } from './lobby.ts';
import { lobbyMessages, stateOf } from './lobby-messages.ts';

/** Tells the other members, unasked: 6619 joined, 6620 left, 6612 the lobby's new data. */
export const membersAreTold: LobbyNews = {
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
