import type { Account } from '../accounts/accounts.ts';
import type { CmSession, CmSessions } from '../cm/cm-connection.ts';

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

function isRegular({ type }: Lobby): boolean {
  return type !== lobbyTypes.invisible;
}

export function hasRoom(lobby: Lobby): boolean {
  return lobby.maxMembers === 0 || lobby.members.size < lobby.maxMembers;
}

/** Accounts here are nobody's friends, so friends-only is as closed as private to everyone but members. */
export function admitsStrangers(lobby: Lobby): boolean {
  return lobby.type === lobbyTypes.public || lobby.type === lobbyTypes.invisible;
}

/** What every id of the chat kind that is a lobby begins with: universe, kind and the lobby's mark. */
const firstLobbyId = 109775240917155840n;

/** How many an account may be in at a time (source: the notes at ELobbyType in the platform's public header). */
const mostRegular = 1;
const mostInvisible = 2;

/** What happens in a lobby that its members are told of. */
export interface LobbyNews {
  joined(lobby: Lobby, member: CmSession): void;
  left(lobby: Lobby, member: CmSession): void;
  changed(lobby: Lobby, by: CmSession): void;
}

/** All lobbies of all apps. Whoever enters one too many leaves the oldest of its kind. A lobby dies with the session of its owner; a member's session takes only the member along. */
export class Lobbies {
  readonly #byId = new Map<string, Lobby>();
  readonly #news: LobbyNews;
  #created: bigint;

  constructor(sessions: CmSessions, news: LobbyNews, before = 0) {
    this.#news = news;
    this.#created = BigInt(before);
    sessions.onEnd((session) => this.#sessionEnded(session));
  }

  get all(): readonly Lobby[] {
    return [...this.#byId.values()];
  }

  find(id: string | undefined, appId: number | undefined): Lobby | undefined {
    const lobby = id === undefined ? undefined : this.#byId.get(id);
    return lobby?.appId === appId ? lobby : undefined;
  }

  create(
    owner: CmSession,
    settings: Pick<Lobby, 'appId' | 'type' | 'flags' | 'maxMembers' | 'metadata'>,
  ): Lobby {
    this.#created += 1n;
    const id = String(firstLobbyId + this.#created);
    const lobby: Lobby = { ...settings, id, owner, members: new Map([[owner, Buffer.alloc(0)]]) };
    this.#makeRoom(owner.account, lobby);
    this.#byId.set(id, lobby);
    return lobby;
  }

  change(
    lobby: Lobby,
    by: CmSession,
    settings: Partial<Pick<Lobby, 'type' | 'flags' | 'maxMembers' | 'metadata'>>,
  ) {
    Object.assign(lobby, settings);
    for (const { account } of lobby.members.keys()) this.#makeRoom(account, lobby);
    this.#news.changed(lobby, by);
  }

  changeMember(lobby: Lobby, member: CmSession, metadata: Buffer): void {
    lobby.members.set(member, metadata);
    this.#news.changed(lobby, member);
  }

  join(lobby: Lobby, member: CmSession): void {
    if (lobby.members.has(member)) return;
    this.#makeRoom(member.account, lobby);
    lobby.members.set(member, Buffer.alloc(0));
    this.#news.joined(lobby, member);
  }

  /** An owner who leaves hands the lobby to whoever has been there longest; the last one ends it. */
  leave(lobby: Lobby, member: CmSession): void {
    if (!lobby.members.delete(member)) return;
    this.#news.left(lobby, member);
    const [eldest] = lobby.members.keys();
    if (eldest === undefined) this.#byId.delete(lobby.id);
    else if (lobby.owner === member) lobby.owner = eldest;
  }

  /** What a search finds: public and invisible ones that have room. */
  listed(appId: number | undefined): readonly Lobby[] {
    return this.all.filter((lobby) => lobby.appId === appId && admitsStrangers(lobby) && hasRoom(lobby));
  }

  /** For this lobby, beside the others of its kind that the account is in. */
  #makeRoom(account: Account, lobby: Lobby): void {
    const most = isRegular(lobby) ? mostRegular : mostInvisible;
    const others = this.all.filter(
      (other) =>
        other !== lobby &&
        isRegular(other) === isRegular(lobby) &&
        [...other.members.keys()].some((member) => member.account === account),
    );
    for (const other of others.slice(0, Math.max(0, others.length - most + 1))) {
      for (const member of [...other.members.keys()])
        if (member.account === account) this.leave(other, member);
    }
  }

  #sessionEnded(session: CmSession): void {
    for (const lobby of this.all) {
      if (lobby.owner === session) this.#byId.delete(lobby.id);
      if (lobby.members.delete(session)) this.#news.left(lobby, session);
    }
  }
}
