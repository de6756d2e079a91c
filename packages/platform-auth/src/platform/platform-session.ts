import type { Secret } from '@steward/service-kit/secret';
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

/** A server that has content, as the platform lists it. */
export interface ContentServer {
  /** `host` or `host:port`. */
  readonly address: string;
  /** What it wants to be called in `Host`, and what tokens for it are made out to. */
  readonly name: string;
  readonly isSecure: boolean;
  readonly demandsToken: boolean;
  /** Absent where it serves every app. */
  readonly appIds?: readonly number[];
  /** The platform's wish: the lower, the sooner. */
  readonly load: number;
}

export interface ManifestKey {
  readonly appId: number;
  readonly depotId: number;
  /** 64 bits, decimal. */
  readonly manifestId: string;
  readonly branch: string;
}

/** What the platform tells a logged-in account about content. Everything rejects with a PlatformFailure, within a deadline. */
export interface ContentDirectory {
  ownsApp(appId: number): Promise<boolean>;
  /** As the platform keeps it: a tree whose leaves are texts. Undefined for an app that it does not know. */
  productInfo(appId: number): Promise<unknown>;
  /** Undefined when the account may not have the depot. */
  depotKey(appId: number, depotId: number): Promise<Uint8Array | undefined>;
  /** Without it no server gives the manifest away, and it lasts for minutes. Undefined when this manifest is not to be had. */
  requestCode(manifest: ManifestKey): Promise<string | undefined>;
  servers(): Promise<readonly ContentServer[]>;
  /** The query string, with its question mark, that opens a depot on a server. */
  serverToken(appId: number, depotId: number, server: string): Promise<string>;
}
