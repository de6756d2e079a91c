import { parseUint64 } from './ids.ts';
import { accepted, type Parsed, refused } from './parsed.ts';

export const joinPaths = [
  {
    path: 'platform-relay',
    prefix: 'SN_',
    identity: 'platform',
    doors: ['friends list', 'S-prefix invite code'],
  },
  {
    path: 'network-p2p',
    prefix: 'GN_',
    identity: 'network',
    doors: ['G-prefix invite code'],
  },
  {
    path: 'direct-ip',
    prefix: 'L_',
    identity: null,
    doors: ['direct IP'],
  },
] as const;

/** One way into the farm. The door a player joins through fixes the identity that the server sees. */
type JoinPath = (typeof joinPaths)[number];

export type JoinPathName = JoinPath['path'];

/** The id space of an identity. The two ids of one account share nothing and cannot be told to belong together. */
type IdentitySpace = NonNullable<JoinPath['identity']>;

/** The join path that a connection id's prefix names, also when the rest of the id is malformed. */
export function joinPathOf(connectionId: string): JoinPath | undefined {
  return joinPaths.find(({ prefix }) => connectionId.startsWith(prefix));
}

export type ConnectionId =
  | { readonly path: 'platform-relay'; readonly account: bigint; readonly port: number }
  | { readonly path: 'network-p2p'; readonly account: bigint }
  | { readonly path: 'direct-ip'; readonly session: string };

/** Whom the server sees behind a connection. */
export interface Identity {
  readonly space: IdentitySpace;
  readonly id: bigint;
}

const largestPort = 2n ** 32n - 1n;

/** The only reader of connection ids; what a client declares about itself is never consulted. */
export function parseConnectionId(text: string): Parsed<ConnectionId> {
  const joinPath = joinPathOf(text);
  if (joinPath === undefined) return refused('does not begin with SN_, GN_ or L_');
  const rest = text.slice(joinPath.prefix.length);
  switch (joinPath.path) {
    case 'platform-relay':
      return parseRelay(rest);
    case 'network-p2p':
      return parsePeer(rest);
    case 'direct-ip':
      return accepted({ path: 'direct-ip', session: rest });
  }
}

/** The canonical text: parsing it gives the same connection id again. Only tests print one, to hold the parser against it. */
export function printConnectionId(id: ConnectionId): string {
  switch (id.path) {
    case 'platform-relay':
      return `SN_${id.account}_${id.port}`;
    case 'network-p2p':
      return `GN_${id.account}`;
    case 'direct-ip':
      return `L_${id.session}`;
  }
}

/** Nobody behind a direct-IP connection: its id changes with every start of the client. */
export function identityOf(id: ConnectionId): Identity | undefined {
  switch (id.path) {
    case 'platform-relay':
      return { space: 'platform', id: id.account };
    case 'network-p2p':
      return { space: 'network', id: id.account };
    case 'direct-ip':
      return undefined;
  }
}

function parseRelay(rest: string): Parsed<ConnectionId> {
  const separator = rest.indexOf('_');
  if (separator < 0) return refused('has no _ between account and port');
  const account = parseUint64(rest.slice(0, separator));
  if (!account.ok) return refused(`account ${account.reason}`);
  const port = parseUint64(rest.slice(separator + 1));
  if (!port.ok) return refused(`port ${port.reason}`);
  if (port.value > largestPort) return refused(`port is larger than ${largestPort}`);
  return accepted({ path: 'platform-relay', account: account.value, port: Number(port.value) });
}

function parsePeer(rest: string): Parsed<ConnectionId> {
  const account = parseUint64(rest);
  if (!account.ok) return refused(`account ${account.reason}`);
  return accepted({ path: 'network-p2p', account: account.value });
}
