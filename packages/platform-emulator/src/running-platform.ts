import type { Account, Accounts } from './accounts/accounts.ts';
import type { LoginAttempts } from './authentication/login-attempts.ts';
import type { RefreshTokenOptions, Tokens } from './authentication/tokens.ts';
import type { App, Catalogue } from './catalogue/catalogue.ts';
import type { Cdn } from './cdn/cdn.ts';
import type { CmSessions } from './cm/cm-connection.ts';
import type { CmServer } from './cm/cm-server.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import type { Lobbies } from './lobbies/lobbies.ts';
import type { RequestRecord } from './record/request-record.ts';
import type { TicketCooldown } from './tickets/ticket-handlers.ts';
import type { Entrance } from './transport/addresses.ts';
import type { CaFile } from './transport/certificates.ts';
import type { Listening } from './transport/proxy.ts';

export interface PlatformParts {
  readonly accounts: Accounts;
  readonly attempts: LoginAttempts;
  readonly catalogue: Catalogue;
  readonly cdn: Cdn;
  readonly connectionManager: CmServer;
  readonly cooldown: TicketCooldown;
  readonly faults: FaultPlan;
  readonly lobbies: Lobbies;
  readonly record: RequestRecord;
  readonly sessions: CmSessions;
  readonly ticketKey: Buffer;
  readonly tokens: Tokens;
  readonly ca: CaFile;
  readonly caPem: string;
  readonly entrance: Entrance;
  readonly proxy: Listening;
}

/** A platform that runs: how to reach it, what it has seen, and the hands of everyone on the other side of it. */
export class Platform implements AsyncDisposable {
  /** For `httpProxy` of steam-user and steam-session, or `PLATFORM_PROXY`. */
  readonly proxyUrl: string;
  readonly caPem: string;
  /** For NODE_EXTRA_CA_CERTS; removed on close. */
  readonly caFile: string;
  /** The key under which encrypted app tickets are sealed; a verifier needs it. */
  readonly ticketKey: Buffer;
  readonly faults: FaultPlan;
  readonly record: RequestRecord;
  readonly accounts: Accounts;
  readonly lobbies: Lobbies;
  /** The content servers, by the names of their plans. */
  readonly cdn: Cdn;
  readonly #parts: PlatformParts;

  constructor(parts: PlatformParts) {
    this.#parts = parts;
    this.proxyUrl = `http://${parts.entrance.name}:${parts.proxy.port}`;
    this.caPem = parts.caPem;
    this.caFile = parts.ca.path;
    this.ticketKey = parts.ticketKey;
    this.faults = parts.faults;
    this.record = parts.record;
    this.accounts = parts.accounts;
    this.lobbies = parts.lobbies;
    this.cdn = parts.cdn;
  }

  /** Mints a token as a finished login would have. */
  refreshToken(accountName: string, options?: RefreshTokenOptions): string {
    return this.#parts.tokens.refreshToken(this.accounts.get(accountName), options);
  }

  revoke(refreshToken: string): void {
    this.#parts.tokens.revoke(refreshToken);
  }

  /** As a changed password does: every token of the account is dead. */
  revokeAll(accountName: string): void {
    this.#parts.tokens.revokeAll(this.accounts.get(accountName));
  }

  /** The account's owner says yes, on the device or in the e-mail, to every login that waits for them; also to open QR codes. */
  approve(accountName: string): number {
    return this.#parts.attempts.approve(this.accounts.get(accountName));
  }

  deny(accountName: string): number {
    return this.#parts.attempts.deny(this.accounts.get(accountName));
  }

  /** The owner looks at the request and has not answered yet. */
  look(accountName: string): number {
    return this.#parts.attempts.look(this.accounts.get(accountName));
  }

  rotateQr(): number {
    return this.#parts.attempts.rotateQr();
  }

  liftTicketCooldown(): void {
    this.#parts.cooldown.lift();
  }

  /** Publishes an app, or another version of it. */
  publish(app: App): void {
    this.#parts.catalogue.publish(app);
  }

  /** Accounts that are logged on now, once per session. */
  get online(): readonly Account[] {
    return this.#parts.sessions.all.map(({ account }) => account);
  }

  /** Logs an account off with a reason: 34 replaced, 20 service unavailable, 48 try another server, 6 logged in elsewhere. */
  kick(accountName: string, eresult: number): void {
    const { sessions } = this.#parts;
    for (const session of sessions.of(this.accounts.get(accountName))) {
      sessions.end(session);
      session.connection.kick(eresult);
    }
  }

  /** Cuts every connection to the connection manager without a word. */
  dropConnections(): void {
    for (const connection of this.#parts.connectionManager.connections) connection.drop();
  }

  /** The connection manager takes everything and answers nothing, until the function that is returned is called. */
  silence(): () => void {
    this.#parts.connectionManager.silence(true);
    return () => this.#parts.connectionManager.silence(false);
  }

  async close(): Promise<void> {
    this.dropConnections();
    await Promise.all([this.#parts.proxy.close(), this.cdn[Symbol.asyncDispose](), this.#parts.ca.remove()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
