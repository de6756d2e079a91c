import { lobbyVisibility } from '@steward/shared/lobby-visibility';
import {
  type LobbyAnswer,
  type LobbyRequest,
  lobbyDataNames,
  mostLobbyMembers,
} from '@steward/shared/sidecar/lobby';
import type { BridgeState } from '../game/state/bridge-state.ts';
import type { PublishedLobby } from './facts.ts';
import { gameAway } from './hosting.ts';

/** What the platform lobby shall be, once there is something that it can lead to. */
export function wishOf(game: BridgeState): (LobbyRequest & { game_server_id: string }) | undefined {
  // Its own hands are on the lobby already.
  if (game.selfHosted !== undefined || gameAway(game) !== undefined) return undefined;
  const { status, networks } = game.sections;
  const serverId = networks?.relay.serverId;
  if (status === undefined || serverId === undefined || networks?.network.lobby === undefined)
    return undefined;
  return {
    game_server_id: serverId,
    ...(status.gameVersion === '' ? {} : { protocol_version: status.gameVersion }),
    ...(status.maxPlayers < 1 ? {} : { max_members: Math.min(status.maxPlayers, mostLobbyMembers) }),
    visibility: lobbyVisibility,
  };
}

/** Whether the sidecar knows the wish already; it then needs no second asking, however far it has come. */
export function isAsked(wish: LobbyRequest, { state, metadata, max_members }: LobbyAnswer): boolean {
  return (
    state !== 'none' &&
    metadata[lobbyDataNames.gameServerId] === wish.game_server_id &&
    metadata[lobbyDataNames.protocolVersion] === wish.protocol_version &&
    (wish.max_members === undefined || wish.max_members === max_members)
  );
}

/**
 * What players find on the platform now. An open lobby with a reason is one whose last change failed: it stands as it
 * was before.
 */
export function publishedOf(
  { state, lobby_id, reason, metadata }: LobbyAnswer,
  before: PublishedLobby | undefined,
): PublishedLobby | undefined {
  const gameServerId = metadata[lobbyDataNames.gameServerId];
  if (state !== 'open' || lobby_id === undefined || gameServerId === undefined) return undefined;
  if (reason === undefined) return { lobbyId: lobby_id, gameServerId };
  return before?.lobbyId === lobby_id ? before : undefined;
}
