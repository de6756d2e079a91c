import { createHash } from 'node:crypto';
import { OperatorError } from '@steward/service-kit/process/errors';
import type { Secret } from '@steward/service-kit/secret';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { type Failure, passes } from '../platform/failure.ts';
import type { AccountToken } from '../platform/platform-session.ts';
import { accountOf } from '../tokens/session-file.ts';
import { type SessionStore, sameAccount } from '../tokens/session-store.ts';
import { environmentToken, type LoginSource, passwordLogin, savedSession } from './login-source.ts';
import { readRefreshToken } from './refresh-token.ts';

export interface AccountSettings {
  readonly PLATFORM_USERNAME: string | undefined;
  readonly PLATFORM_PASSWORD: Secret | undefined;
  readonly PLATFORM_REFRESH_TOKEN: Secret | undefined;
}

type AccountStore = Pick<SessionStore, 'list' | 'fateOf' | 'save' | 'remember'>;

/** Which account this process logs in, and from what. It never changes to another account while it runs. */
export class ConfiguredAccount {
  readonly #settings: AccountSettings;
  readonly #store: AccountStore;
  #username: string | undefined;
  /** What the turn of this account's login is drawn from: the same at each start. */
  #name = '';
  /** Saved sessions that the platform has refused to this process: however late they were issued, they are worth nothing. */
  readonly #dead = new Set<string>();

  constructor(settings: AccountSettings, store: AccountStore) {
    this.#settings = settings;
    this.#store = store;
    this.#username = settings.PLATFORM_USERNAME;
  }

  /** Refuses a choice that only the operator can make. Called once, before anything starts. */
  async check(): Promise<void> {
    if (this.#username !== undefined || this.#accountToken !== undefined) return;
    const sessions = await this.#store.list();
    if (sessions.length === 0 && this.#settings.PLATFORM_PASSWORD !== undefined)
      throw new OperatorError(
        'PLATFORM_PASSWORD is set without PLATFORM_USERNAME, and there is no saved session to tell whose it is: set PLATFORM_USERNAME, too',
      );
    if (sessions.length < 2 || areOneAccount(sessions)) return;
    const names = sessions.map(({ username }) => username).join(', ');
    throw new OperatorError(
      `PLATFORM_USERNAME is not set and SESSION_DIR has sessions of several accounts: set it to one of ${names}`,
    );
  }

  /**
   * Whether PLATFORM_REFRESH_TOKEN is another account's than PLATFORM_USERNAME, as far as the disk tells: a token says an id alone, and
   * only a saved session which name goes with one.
   */
  async hasForeignToken(): Promise<boolean> {
    const { PLATFORM_USERNAME: name } = this.#settings;
    const token = this.#accountToken;
    if (name === undefined || token === undefined) return false;
    return (await this.#store.list()).some(
      (session) =>
        readRefreshToken(session.token).ok &&
        !isCalledById(session) &&
        sameAccount(session.username, name) !== ofOneAccount(session.token, token),
    );
  }

  /** What can be tried now, in order. Reads the disk, so that a session which another process saved is seen. */
  async sources(): Promise<readonly LoginSource[]> {
    const { PLATFORM_REFRESH_TOKEN: token, PLATFORM_PASSWORD: password } = this.#settings;
    const saved = this.#choose(await this.#store.list());
    this.#name = this.#username ?? saved?.username ?? (token === undefined ? '' : idOf(token)) ?? '';
    const sources: LoginSource[] = [];
    if (saved !== undefined) sources.push(savedSession(saved.username, saved.token));
    const seed = token === undefined ? undefined : await this.#seed(token, saved);
    if (token !== undefined && seed !== undefined) {
      const goesFirst = saved === undefined || isForeign(token, saved) || !isLater(saved.token, token);
      sources.splice(goesFirst ? 0 : 1, 0, seed);
    }
    // A session that is called by an id does not tell the name that the password goes with.
    const told = saved === undefined || isCalledById(saved) ? undefined : saved.username;
    const name = this.#settings.PLATFORM_USERNAME ?? told;
    if (password !== undefined && name !== undefined) sources.push(passwordLogin(name, password));
    return sources;
  }

  /** From 0 up to 1, by the account's name: where in a spread of logins its own is. */
  get share(): number {
    return createHash('sha256').update(accountOf(this.#name)).digest().readUInt32BE() / 2 ** 32;
  }

  /**
   * Makes a token from the environment the account's saved session, so that it is renewed from now on. Undefined where it is another
   * account's, or where a later session of this account is in its place that was not `refused`. Killed at any step, the token is in the
   * environment still.
   */
  async takeUp(
    token: Secret,
    refused: Pick<ReadonlySet<string>, 'has'> = this.#dead,
  ): Promise<LoginSource | undefined> {
    if (await this.hasForeignToken()) return undefined;
    const saved = this.#choose(await this.#store.list());
    if (saved !== undefined && (isForeign(token, saved) || goesBefore(saved, token, refused)))
      return undefined;
    // A token says an id and no name.
    const username = saved?.username ?? this.#username ?? idOf(token);
    if (username === undefined) return undefined;
    await this.#store.save({ username, token });
    // It is kept: without the record it is at worst tried once more, when that session is lost.
    await this.#store.remember(token, 'taken-up').catch(() => {});
    return savedSession(username, token);
  }

  /** Remembers it. A token from the environment is not tried again by later processes either: each restart would count as a failed login. */
  async refused(source: LoginSource, failure: Failure): Promise<void> {
    // Another remedy than the usual one is for the account, and this token may be good once it is mended.
    const isOfToken = !passes(failure) && failure.remedy === undefined;
    if (source.kind === 'saved-session' && isOfToken) this.#dead.add(source.id);
    if (source.kind !== 'environment-token' || !isOfToken) return;
    // What is no token the platform never saw; it may be a password, of which not even a hash belongs on a disk.
    if (readRefreshToken(source.token).ok) await this.#store.remember(source.token, 'refused');
  }

  /** PLATFORM_REFRESH_TOKEN as far as it says whose it is: text that is no token chooses no account. */
  get #accountToken(): Secret | undefined {
    const { PLATFORM_REFRESH_TOKEN: token } = this.#settings;
    return token !== undefined && readRefreshToken(token).ok ? token : undefined;
  }

  /** The token from the environment, where it has something to say beside what is saved. */
  async #seed(token: Secret, saved: AccountToken | undefined): Promise<LoginSource | undefined> {
    if (saved?.token.reveal() === token.reveal()) return undefined;
    const fate = await this.#store.fateOf(token);
    if (fate === 'refused') return environmentToken(token, refusedBefore);
    // Where its session is gone, it may be good still; where it is not, that is remembered.
    return fate === 'taken-up' && saved !== undefined ? undefined : environmentToken(token);
  }

  #choose(sessions: readonly AccountToken[]): AccountToken | undefined {
    const latest = latestOf(this.#ofAccount(sessions));
    // From now on this is the account, even when sessions of others appear beside it.
    if (this.#accountToken === undefined) this.#username ??= latest?.username;
    return latest;
  }

  /** A seeded token's session is called by the account's id, and one that somebody logged in by its name: both are the account's. */
  #ofAccount(sessions: readonly AccountToken[]): readonly AccountToken[] {
    const name = this.#username;
    const { PLATFORM_PASSWORD: password } = this.#settings;
    const token = this.#accountToken;
    const isOfToken = (each: AccountToken) => token !== undefined && ofOneAccount(each.token, token);
    if (name !== undefined) {
      const named = sessions.find(({ username }) => sameAccount(username, name));
      if (named !== undefined)
        return sessions.filter((each) => each === named || ofOneAccount(each.token, named.token));
      if (token !== undefined) return sessions.filter((each) => isCalledById(each) && isOfToken(each));
      // The platform never says the name that goes with an id: where nothing says whose it is, the one that there is is meant.
      const nameless = namelessOf(sessions);
      return password === undefined && areOneAccount(nameless) ? nameless : [];
    }
    if (token !== undefined) return sessions.filter(isOfToken);
    return sessions.length === 1 || areOneAccount(sessions) ? sessions : [];
  }
}

const refusedBefore: Failure = {
  class: 'dead-credential',
  reason: 'The platform has refused it before, so it is not tried again',
};

export const foreignToken: MendableTrouble = {
  reason: 'PLATFORM_REFRESH_TOKEN is from another account than PLATFORM_USERNAME, and is used first',
  remedy:
    'Set both to one account, or unset one of them; if the saved session is wrong, `platform-auth login` replaces it',
};

function goesBefore(
  { username, token }: AccountToken,
  other: Secret,
  refused: Pick<ReadonlySet<string>, 'has'>,
): boolean {
  return isLater(token, other) && !refused.has(savedSession(username, token).id);
}

/** Whether the saved session, which is PLATFORM_USERNAME's, is another account's than the token. */
function isForeign(token: Secret, saved: AccountToken): boolean {
  return readRefreshToken(token).ok && readRefreshToken(saved.token).ok && !ofOneAccount(token, saved.token);
}

export function idOf(token: Secret): string | undefined {
  const read = readRefreshToken(token);
  return read.ok ? read.value.platformId : undefined;
}

function isCalledById({ username, token }: AccountToken): boolean {
  return username === idOf(token);
}

/** Sessions that were seeded without a name, and not since saved under one. */
function namelessOf(sessions: readonly AccountToken[]): readonly AccountToken[] {
  const named = sessions.filter((each) => !isCalledById(each));
  return sessions.filter(
    (each) => isCalledById(each) && !named.some(({ token }) => ofOneAccount(token, each.token)),
  );
}

function latestOf(sessions: readonly AccountToken[]): AccountToken | undefined {
  return sessions.reduce<AccountToken | undefined>(
    (latest, each) => (latest !== undefined && !isLater(each.token, latest.token) ? latest : each),
    undefined,
  );
}

function areOneAccount(sessions: readonly AccountToken[]): boolean {
  const [first] = sessions;
  return first !== undefined && sessions.every(({ token }) => ofOneAccount(first.token, token));
}

function isLater(one: Secret, other: Secret): boolean {
  const [first, second] = [readRefreshToken(one), readRefreshToken(other)];
  if (!first.ok || !second.ok) return first.ok;
  return first.value.issuedAt > second.value.issuedAt;
}

export function ofOneAccount(one: Secret, other: Secret): boolean {
  const [first, second] = [readRefreshToken(one), readRefreshToken(other)];
  return first.ok && second.ok && first.value.platformId === second.value.platformId;
}
