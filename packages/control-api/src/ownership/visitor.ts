import {
  type Identity,
  identityOf,
  type JoinPathName,
  joinPathOf,
  parseConnectionId,
} from '@steward/shared/connection-id';
import { printNetwork, readNetwork } from '../ip-networks.ts';

/** Who knocks, by the connection id alone. What the client says about itself is no part of it. */
export interface Visitor {
  /** Told from the prefix, also when the rest of the id cannot be read. */
  readonly path: JoinPathName | 'unknown';
  /** `nobody`: over direct IP there is no identity. `unreadable`: there may be one, and nobody can tell whose. */
  readonly identity: Identity | 'nobody' | 'unreadable';
}

export function visitorOf(connectionId: string): Visitor {
  const path = joinPathOf(connectionId)?.path ?? 'unknown';
  const parsed = parseConnectionId(connectionId);
  if (!parsed.ok) return { path, identity: 'unreadable' };
  return { path, identity: identityOf(parsed.value) ?? 'nobody' };
}

/** The one line in which an operator finds the id that `rebind` asks for, and what a ban does: by direct IP the address, where it is told. */
export function connectLine({ path, identity }: Visitor, address?: string): string {
  const from = address === undefined ? undefined : readNetwork(address);
  const place = from === undefined ? '' : ` (address ${printNetwork(from)})`;
  const whose = typeof identity === 'string' ? place : ` (${identity.space} id ${identity.id})`;
  return `Client connected via ${path}${whose}`;
}
