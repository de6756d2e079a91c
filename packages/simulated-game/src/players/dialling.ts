import { type InviteCode, parseInviteCode } from '@steward/shared/invite-code';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { networkIdOf } from '../networks/cross-platform-network.ts';
import type { Account } from './account.ts';
import type { Line, Wires } from './client.ts';
import type { Door } from './door.ts';

/** What a player's way in leads to: the code's lobby, or the one behind a friend's name in the friends list. */
export function destination(door: Door, wires: Wires): Parsed<InviteCode> {
  switch (door.through) {
    case 'code':
      return codeDestination(door.code);
    case 'friends':
      return friendsDestination(wires);
    case 'direct-ip':
      return refused('an address leads to no lobby');
  }
}

/** The network's own transport: signed in with a ticket, into the lobby by its raw id. */
export function dialNetwork(account: Account, lobbyId: bigint, wires: Wires): Parsed<Line> {
  const signedIn = wires.network.signIn(wires.issueTicket(account.platformId));
  if (!signedIn.ok) return signedIn;
  const lobby = wires.network.joinLobby(lobbyId);
  if (!lobby.ok) return lobby;
  const networkId = signedIn.value.networkId.toString();
  return accepted({ connectionId: `GN_${networkId}`, declaredStamp: networkId });
}

/** The platform's relay: for whoever has a live user session and stands in the platform lobby. */
export function dialRelay(account: Account, lobbyId: bigint, wires: Wires): Parsed<Line> {
  const lobby = wires.network.joinLobby(lobbyId);
  if (!lobby.ok) return lobby;
  if (wires.hosting.lobby?.platformLobbyId === undefined) return refused(noPlatformLobby);
  return accepted({
    connectionId: wires.relay.connect(account.platformId),
    declaredStamp: networkIdOf(account.platformId).toString(),
  });
}

export function dialAddress(wires: Wires): Parsed<Line> {
  if (!wires.directIp.open) return refused('the farm takes no connections by address');
  return accepted({ connectionId: wires.directIp.connect(), declaredStamp: undefined });
}

function codeDestination(code: string): Parsed<InviteCode> {
  const parsed = parseInviteCode(code);
  return parsed.ok ? parsed : refused(`the invite code ${parsed.reason}`);
}

function friendsDestination({ hosting }: Wires): Parsed<InviteCode> {
  const { lobby } = hosting;
  if (lobby?.platformLobbyId === undefined) return refused(noPlatformLobby);
  return accepted({ prefix: 'S', lobbyId: lobby.rawId });
}

const noPlatformLobby = 'there is no platform lobby that leads to the farm';
