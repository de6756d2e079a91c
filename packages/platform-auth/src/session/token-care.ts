import type { Clock, Timer } from '@steward/service-kit/clock';
import type { Secret } from '@steward/service-kit/secret';
import { type Failure, failureOf } from '../platform/failure.ts';
import type { SessionStore } from '../tokens/session-store.ts';
import type { Login } from './login.ts';
import type { LoginSource } from './login-source.ts';
import { daysUntil, readRefreshToken } from './refresh-token.ts';

/** The platform decides whether a token is due; earlier than this it is not worth asking. */
const renewBelowDays = 60;
/** From here on the operator hears of it every day. */
export const warnBelowDays = 14;
const careEveryMs = 24 * 60 * 60 * 1000;
/** A disk that refused a token is asked again soon: until then the token is in this process alone. */
const saveAgainMs = 5_000;
/** After this the operator hears that the platform has not answered; the answer is waited for all the same. */
const lateAfterMs = 10_000;

const late: Failure = {
  class: 'transient',
  reason: 'The platform has not answered within 10 s; if it still does, the new token is saved',
};

export interface TokenCareParts {
  readonly login: () => Login | undefined;
  readonly store: Pick<SessionStore, 'replace' | 'checkWritable'>;
  readonly clock: Clock;
  /** Has a token from the environment saved as the account's session; undefined where that is not for it to be. */
  readonly takeUp: (token: Secret) => Promise<LoginSource | undefined>;
  readonly renewed: (login: Login) => void;
  readonly log: {
    readonly renewed: (days: number) => void;
    readonly notRenewed: (failure: Failure) => void;
    readonly takenUp: (platformId: string) => void;
    readonly notKept: (error: unknown, ends: Date) => void;
    readonly kept: () => void;
    readonly putOff: (error: unknown) => void;
    readonly notPutOff: () => void;
    readonly notSaved: (error: unknown) => void;
    readonly saved: () => void;
    readonly nearItsEnd: (days: number, isOurs: boolean) => void;
    readonly farFromItsEnd: () => void;
  };
}

/** Renews the saved session's token once it is due, and warns about one that nobody here may renew. */
export class TokenCare {
  readonly #parts: TokenCareParts;
  #next: Timer | undefined;
  #lastCareMs: number | undefined;
  #lastToken: string | undefined;
  #caring: Promise<unknown> = Promise.resolve();
  #stopped = false;
  readonly #stopping = Promise.withResolvers<void>();

  constructor(parts: TokenCareParts) {
    this.#parts = parts;
  }

  /** Called after each login, ours or somebody's by hand: does something once a day, and for a token that it has not seen. */
  loggedIn(): void {
    const { clock, login } = this.#parts;
    if (this.#stopped) return;
    const token = login()?.token.reveal();
    const isRecent = this.#lastCareMs !== undefined && clock.now() - this.#lastCareMs < careEveryMs;
    if (isRecent && token === this.#lastToken) return;
    this.#lastToken = token;
    this.#lastCareMs = clock.now();
    this.#next?.cancel();
    // A timer may be early by a fraction, and a day that is not quite over would end the care.
    this.#next = clock.after(careEveryMs, () => {
      this.#lastCareMs = undefined;
      this.loggedIn();
    });
    // An answer may be a day late, and the stop waits for that one, too.
    this.#caring = Promise.all([this.#caring, this.#care()]);
  }

  /** Resolves when a renewal under way has its end, and its token is on the disk. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopping.resolve();
    this.#next?.cancel();
    await this.#caring;
  }

  async #care(): Promise<void> {
    const { login: current, clock, log } = this.#parts;
    const present = current();
    if (present === undefined) {
      // Nobody is logged in at this hour: the next login is the next chance.
      this.#lastCareMs = undefined;
      return;
    }
    const login = present.source.kind === 'environment-token' ? await this.#takeUp(present) : present;
    const days = remainingDays(login, clock);
    if (days === undefined) return;
    // What is not kept here cannot be renewed here: the new token would be in this process alone.
    const isOurs = login.source.kind !== 'environment-token';
    const tell = (): void => {
      // Of a token that another has superseded meanwhile nobody wants to hear.
      if (login.token.reveal() !== this.#lastToken) return;
      if (days < warnBelowDays) log.nearItsEnd(days, isOurs);
      else log.farFromItsEnd();
    };
    if (isOurs) log.kept();
    const isDue = isOurs && days < renewBelowDays;
    if (!isDue) log.notPutOff();
    if (isDue && (await this.#renew(login, tell))) log.farFromItsEnd();
    else tell();
  }

  /** A token from the environment is ours once it is on the disk. */
  async #takeUp(login: Login): Promise<Login> {
    const { takeUp, renewed, log } = this.#parts;
    try {
      const source = await takeUp(login.token);
      log.kept();
      if (source === undefined) return login;
      const kept = { ...login, source };
      renewed(kept);
      const read = readRefreshToken(login.token);
      if (read.ok) log.takenUp(read.value.platformId);
      return kept;
    } catch (error) {
      const read = readRefreshToken(login.token);
      if (read.ok) log.notKept(error, read.value.expiresAt);
      return login;
    }
  }

  /** `isLate` is told when the platform takes its time. */
  async #renew(login: Login, isLate: () => void): Promise<boolean> {
    const { clock, log, renewed, store } = this.#parts;
    try {
      // A new token is said once, and the old one is dead by then: before that there has to be room for it, and a file that
      // can be replaced, which one that is a mount of its own cannot.
      await store.checkWritable();
      if ((await this.#put(login.token, login)) === 'superseded') return false;
    } catch (error) {
      log.putOff(error);
      return false;
    }
    log.notPutOff();
    const patience = clock.after(lateAfterMs, () => {
      log.notRenewed(late);
      isLate();
    });
    try {
      const token = await login.session.renewToken(login.token).finally(() => patience.cancel());
      if (token === undefined) return false;
      const next = { ...login, token };
      // Somebody has logged in meanwhile: that token is found and cared for.
      if ((await this.#save(login, next)) === 'superseded') {
        log.saved();
        return false;
      }
      renewed(next);
      this.#lastToken = token.reveal();
      log.renewed(remainingDays(next, clock) ?? 0);
      return true;
    } catch (error) {
      log.notRenewed(failureOf(error));
      return false;
    }
  }

  /** The old token is dead: nothing goes on before the new one is on the disk. */
  async #save(previous: Login, next: Login): Promise<'saved' | 'superseded' | 'left'> {
    const isLastTry = this.#stopped;
    try {
      return await this.#put(next.token, previous);
    } catch (error) {
      this.#parts.log.notSaved(error);
      if (isLastTry) return 'left';
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = this.#parts.clock.after(saveAgainMs, resolve);
      await Promise.race([promise, this.#stopping.promise]);
      timer.cancel();
      return this.#save(previous, next);
    }
  }

  /** Saves it where the login's own token is, unless another process has put a different one there. */
  async #put(token: Secret, { source, token: previous }: Login): Promise<'saved' | 'superseded' | 'left'> {
    if (source.kind === 'environment-token') return 'left';
    const { username } = source;
    return this.#parts.store.replace({ username, token: previous }, { username, token });
  }
}

export function remainingDays(
  { token }: Pick<Login, 'token'>,
  clock: Pick<Clock, 'date'>,
): number | undefined {
  const read = readRefreshToken(token);
  return read.ok ? daysUntil(read.value.expiresAt, clock.date()) : undefined;
}
