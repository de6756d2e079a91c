import type { CmSession } from '../cm/cm-connection.ts';

/** ELobbyType. */
export const lobbyTypes = { private: 0, friendsOnly: 1, public: 2, invisible: 3 } as const;

export interface Lobby {
  /** Decimal 64-bit id, of the kind that chats have. */
  readonly id: string;
  readonly appId: number;
  /** The lobby lives no longer than this session. */
  owner: CmSession;
  /** In order of arrival, the owner included, each with their own metadata. */
  readonly members: Map<CmSession, Buffer>;
  type: number;
  flags: number;
  maxMembers: number;
  /** Binary key-values, kept as they came. */
  metadata: Buffer;
}

export function isRegular({ type }: Lobby): boolean {
  return type !== lobbyTypes.invisible;
}

export function hasRoom(lobby: Lobby): boolean {
  return lobby.maxMembers === 0 || lobby.members.size < lobby.maxMembers;
}

/** Accounts here are nobody's friends, so friends-only is as closed as private to everyone but members. */
export function admitsStrangers(lobby: Lobby): boolean {
  return lobby.type === lobbyTypes.public || lobby.type === lobbyTypes.invisible;
}
