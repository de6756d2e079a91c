import {
  type LobbyRequest,
  mostLobbyEntries,
  lobbyDataNames as names,
} from '@steward/shared/sidecar/platform';
import type { LobbyData } from '../platform/platform-session.ts';

/** All that was asked of the lobby so far. */
export interface LobbyWish {
  readonly maxMembers: number;
  readonly gameServerId: string;
  readonly protocolVersion: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

const defaultMaxMembers = 4;
/** What the game's own lobbies say where there is nothing to say. */
const nothing = '0';

export const noWish: LobbyWish = {
  maxMembers: defaultMaxMembers,
  gameServerId: nothing,
  protocolVersion: undefined,
  metadata: {},
};

export function withRequest(wish: LobbyWish, request: LobbyRequest): LobbyWish {
  return {
    maxMembers: request.max_members ?? wish.maxMembers,
    gameServerId: request.game_server_id ?? wish.gameServerId,
    protocolVersion: request.protocol_version ?? wish.protocolVersion,
    metadata: { ...wish.metadata, ...request.metadata },
  };
}

/** What requests set adds up, and one too many of them must not make the wish one that nobody can ask for. */
export function hasRoom(wish: LobbyWish, request: LobbyRequest): boolean {
  return Object.keys(withRequest(wish, request).metadata).length <= mostLobbyEntries;
}

/** As the platform keeps it: what the game's clients look for stands among the metadata, under their names. */
export function toLobbyData({ maxMembers, gameServerId, protocolVersion, metadata }: LobbyWish): LobbyData {
  return {
    maxMembers,
    metadata: {
      ...metadata,
      ...(protocolVersion === undefined ? {} : { [names.protocolVersion]: protocolVersion }),
      [names.gameServerIp]: nothing,
      [names.gameServerPort]: nothing,
      [names.gameServerId]: gameServerId,
    },
  };
}
