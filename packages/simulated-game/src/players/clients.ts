import { createHash } from 'node:crypto';
import { platformAccountRange } from '@steward/shared/ids';
import { type InviteCode, parseInviteCode } from '@steward/shared/invite-code';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { type CrossPlatformNetwork, networkIdOf } from '../networks/cross-platform-network.ts';
import type { Hosting } from '../networks/hosting.ts';
import type { DirectIp, PlatformRelay } from '../networks/transports.ts';

/** A person at the platform. The same name is the same account on every run. */
export interface Account {
  readonly name: string;
  readonly platformId: bigint;
}

export function accountOf(name: string): Account {
  const digest = createHash('sha256').update(`platform account of ${name}`).digest();
  return { name, platformId: platformAccountRange.min + BigInt(digest.readUInt32BE()) };
}

/** How a player came to know of the farm, and so the way they take into it. */
export type Door =
  | { readonly through: 'friends' }
  | { readonly through: 'code'; readonly code: string }
  | { readonly through: 'direct-ip' };

/** All that lies between a player's machine and the farm. */
export interface Wires {
  readonly network: CrossPlatformNetwork;
  readonly relay: PlatformRelay;
  readonly directIp: DirectIp;
  readonly hosting: Hosting;
  /** The platform's own work for a player who owns the game: an encrypted app ticket. */
  readonly issueTicket: (account: bigint) => Buffer;
}

/** A line to the farm. */
export interface Line {
  readonly connectionId: string;
  /** What the client will declare about itself: always in network-id space, and nothing over direct IP. */
  readonly declaredStamp: string | undefined;
  /** Where it comes from; only of a plain connection can the farm tell. */
  readonly address: string | undefined;
}

/** A kind of game client. `dial` says in plain words why there is no line. */
export interface Client {
  readonly kind: ClientKind;
  dial(account: Account, door: Door, wires: Wires): Parsed<Line>;
}

export const clientKinds = ['stock', 'test', 'direct-ip'] as const;

export type ClientKind = (typeof clientKinds)[number];

/** The game as people have it, beside a platform client in which they are logged in. */
const stockClient: Client = {
  kind: 'stock',
  dial(account, door, wires) {
    if (door.through === 'direct-ip') return dialAddress(account, wires);
    const to = destination(door, wires);
    if (!to.ok) return to;
    const dial = to.value.prefix === 'S' ? dialRelay : dialNetwork;
    return dial(account, to.value.lobbyId, wires);
  },
};

/**
 * The game without a platform client beside it: a real account and a real ticket, but no user session, which the relay
 * would need. Whatever leads to the relay is redirected to the network's transport.
 */
const testClient: Client = {
  kind: 'test',
  dial(account, door, wires) {
    if (door.through === 'direct-ip') return dialAddress(account, wires);
    const to = destination(door, wires);
    return to.ok ? dialNetwork(account, to.value.lobbyId, wires) : to;
  },
};

/** The game without any account: it knows an address and nothing else. */
const directIpClient: Client = {
  kind: 'direct-ip',
  dial(account, door, wires) {
    if (door.through === 'direct-ip') return dialAddress(account, wires);
    return refused('a direct-IP client has neither friends nor a use for invite codes');
  },
};

/** One kind each of all that there are. */
export const clients: Readonly<Record<ClientKind, Client>> = {
  stock: stockClient,
  test: testClient,
  'direct-ip': directIpClient,
};

/** What a player's way in leads to: the code's lobby, or the one behind a friend's name in the friends list. */
function destination(door: Door, wires: Wires): Parsed<InviteCode> {
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
function dialNetwork(account: Account, lobbyId: bigint, wires: Wires): Parsed<Line> {
  const signedIn = wires.network.signIn(wires.issueTicket(account.platformId));
  if (!signedIn.ok) return signedIn;
  const lobby = wires.network.joinLobby(lobbyId);
  if (!lobby.ok) return lobby;
  const networkId = signedIn.value.networkId.toString();
  return accepted({ connectionId: `GN_${networkId}`, declaredStamp: networkId, address: undefined });
}

/** The platform's relay: for whoever has a live user session and stands in the platform lobby. */
function dialRelay(account: Account, lobbyId: bigint, wires: Wires): Parsed<Line> {
  const lobby = wires.network.joinLobby(lobbyId);
  if (!lobby.ok) return lobby;
  if (wires.hosting.lobby?.platformLobbyId === undefined) return refused(noPlatformLobby);
  return accepted({
    connectionId: wires.relay.connect(account.platformId),
    declaredStamp: networkIdOf(account.platformId).toString(),
    address: undefined,
  });
}

/** Of the documentation's addresses one for each account: the same person has the same on every run. */
function homeOf({ platformId }: Account): string {
  return `203.0.113.${(platformId % 254n) + 1n}`;
}

function dialAddress(account: Account, wires: Wires): Parsed<Line> {
  if (!wires.directIp.open) return refused('the farm takes no connections by address');
  return accepted({
    connectionId: wires.directIp.connect(),
    declaredStamp: undefined,
    address: homeOf(account),
  });
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
