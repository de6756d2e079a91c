import { OperatorError } from '@steward/service-kit/process/errors';
import type { Secret } from '@steward/service-kit/secret';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import type { AccountToken } from '../platform/platform-session.ts';
import { type SessionStore, sameAccount } from '../tokens/session-store.ts';
import { environmentToken, type LoginSource, passwordLogin, savedSession } from './login-source.ts';
import { readRefreshToken } from './refresh-token.ts';

export interface AccountSettings {
  readonly PLATFORM_USERNAME: string | undefined;
  readonly PLATFORM_PASSWORD: Secret | undefined;
  readonly PLATFORM_REFRESH_TOKEN: Secret | undefined;
}

/** Which account this process logs in, and from what. It never changes to another account while it runs. */
export class ConfiguredAccount {
  readonly #settings: AccountSettings;
  readonly #store: Pick<SessionStore, 'list'>;
  #username: string | undefined;

  constructor(settings: AccountSettings, store: Pick<SessionStore, 'list'>) {
    this.#settings = settings;
    this.#store = store;
    this.#username = settings.PLATFORM_USERNAME;
    if (settings.PLATFORM_PASSWORD !== undefined && this.#username === undefined)
      throw new OperatorError('PLATFORM_PASSWORD is set without PLATFORM_USERNAME: set both, or neither');
  }

  /** Refuses a choice that only the operator can make. Called once, before anything starts. */
  async check(): Promise<void> {
    if (this.#username !== undefined || this.#settings.PLATFORM_REFRESH_TOKEN !== undefined) return;
    const sessions = await this.#store.list();
    if (sessions.length < 2) return;
    const names = sessions.map(({ username }) => username).join(', ');
    throw new OperatorError(
      `PLATFORM_USERNAME is not set and SESSION_DIR holds sessions of several accounts: set it to one of ${names}`,
    );
  }

  /**
   * Whether PLATFORM_REFRESH_TOKEN is another account's than PLATFORM_USERNAME, as far as the disk tells: a token says an id alone, and
   * only a saved session which name goes with one.
   */
  async hasForeignToken(): Promise<boolean> {
    const { PLATFORM_USERNAME: name, PLATFORM_REFRESH_TOKEN: token } = this.#settings;
    if (name === undefined || token === undefined || !readRefreshToken(token).ok) return false;
    return (await this.#store.list()).some(
      (session) =>
        readRefreshToken(session.token).ok &&
        sameAccount(session.username, name) !== ofOneAccount(session.token, token),
    );
  }

  /** What can be tried now, in order. Reads the disk, so that a session which another process saved is seen. */
  async sources(): Promise<readonly LoginSource[]> {
    const { PLATFORM_REFRESH_TOKEN: token, PLATFORM_PASSWORD: password } = this.#settings;
    const saved = this.#choose(await this.#store.list());
    const sources: LoginSource[] = [];
    if (token !== undefined) sources.push(environmentToken(token));
    if (saved !== undefined) sources.push(savedSession(saved.username, saved.token));
    if (password !== undefined && this.#username !== undefined)
      sources.push(passwordLogin(this.#username, password));
    return sources;
  }

  #choose(sessions: readonly AccountToken[]): AccountToken | undefined {
    const username = this.#username;
    if (username !== undefined) return sessions.find((session) => sameAccount(session.username, username));
    const { PLATFORM_REFRESH_TOKEN: token } = this.#settings;
    if (token !== undefined) return sessions.find((session) => ofOneAccount(session.token, token));
    if (sessions.length !== 1) return undefined;
    // From now on this is the account, even when sessions of others appear beside it.
    this.#username = sessions[0]?.username;
    return sessions[0];
  }
}

export const foreignToken: MendableTrouble = {
  reason: 'PLATFORM_REFRESH_TOKEN is a token of another account than PLATFORM_USERNAME, and goes first',
  remedy: 'Set both to one account, or unset one of them',
};

function ofOneAccount(one: Secret, other: Secret): boolean {
  const [first, second] = [readRefreshToken(one), readRefreshToken(other)];
  return first.ok && second.ok && first.value.platformId === second.value.platformId;
}
