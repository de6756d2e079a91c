import {
  type Identity,
  identityOf,
  type JoinPathName,
  joinPathOf,
  parseConnectionId,
} from '@steward/shared/connection-id';

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

/** The one line in which an operator finds the id that `rebind` asks for. */
export function connectLine({ path, identity }: Visitor): string {
  const whose = typeof identity === 'string' ? '' : ` (${identity.space} id ${identity.id})`;
  return `Client connected via ${path}${whose}`;
}
