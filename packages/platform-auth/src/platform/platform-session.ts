import type { Secret } from '@steward/service-kit/secret';
import type { ContentDirectory } from './content-directory.ts';
import type { Failure } from './failure.ts';

/** What a lobby is made of on the platform. Its visibility is not in here: there is only one. */
export interface LobbyData {
  readonly maxMembers: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * A logged-in account. Everything rejects with a PlatformFailure or resolves within a deadline of its own; a renewal alone
 * has none but the session's end.
 */
export interface PlatformSession {
  /** The account's 64-bit id, decimal. */
  readonly platformId: string;
  /** Resolves once, when the session is over for whatever reason but `close`. */
  readonly ended: Promise<Failure>;
  readonly content: ContentDirectory;
  appTicket(appId: number): Promise<Buffer>;
  /** Resolves to the new lobby's id. */
  createLobby(appId: number, data: LobbyData): Promise<string>;
  /** False when the lobby is gone. */
  updateLobby(appId: number, lobbyId: string, data: LobbyData): Promise<boolean>;
  /**
   * A new token, from whose making on the old one is dead; undefined when the platform sees no need. It may come late, and
   * is worth having still.
   */
  renewToken(token: Secret): Promise<Secret | undefined>;
  /** Ends the session. Safe to call more than once, and on a session that is over. */
  close(): Promise<void>;
}

/** What a login with a name and a password leaves: the name that the platform knows the account by, and its refresh token. */
export interface AccountToken {
  readonly username: string;
  readonly token: Secret;
}

/** The ways in. */
export interface Platform {
  logOn(token: Secret): Promise<PlatformSession>;
  /** For an account that needs no guard; any other is a dead credential. */
  logInWithPassword(username: string, password: Secret): Promise<AccountToken>;
}
