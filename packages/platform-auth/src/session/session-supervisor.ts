import type { Clock, Timer } from '@steward/service-kit/clock';
import type { Secret } from '@steward/service-kit/secret';
import { type Failure, failureOf } from '../platform/failure.ts';
import type { PlatformSession } from '../platform/platform-session.ts';
import { type Login, restsOn } from './login.ts';
import type { LoginSource } from './login-source.ts';
import { readRefreshToken } from './refresh-token.ts';
import { initialModel, type SessionEvent, type SessionModel, step } from './session-machine.ts';

/** How soon a session that another process saved is noticed. Volumes do not always tell of changes, so it is asked. */
const sourcesPollMs = 5_000;

export interface SupervisorParts {
  readonly sources: () => Promise<readonly LoginSource[]>;
  readonly logIn: (source: LoginSource) => Promise<Login>;
  readonly clock: Clock;
  readonly random: () => number;
  /** How long the first login waits, once it is known whose it is. */
  readonly paceMs: () => number;
  /** Told after every change of state. It must not throw. */
  readonly changed: (model: SessionModel) => void;
  /** Told when somebody has logged in anew while the session is up. */
  readonly tokenSuperseded: () => void;
}

/** Carries out what the state machine decides, and tells it what came of it. */
export class SessionSupervisor {
  readonly #parts: SupervisorParts;
  #model: SessionModel;
  #since: Date;
  #sources: readonly LoginSource[] = [];
  #login: Login | undefined;
  #last: Login | undefined;
  #look: Promise<void> | undefined;
  #attempt = 0;
  #pause: Timer | undefined;
  #nextPoll: Timer | undefined;
  #stopped = false;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#model = initialModel(parts.clock.now());
    this.#since = parts.clock.date();
  }

  get model(): SessionModel {
    return this.#model;
  }

  /** The time of day at which the state became what it is. */
  get since(): Date {
    return this.#since;
  }

  /** Only while the session is up. */
  get login(): Login | undefined {
    return this.#login;
  }

  /** The session that is up, or the last that was, unless its credential was refused since, or another took its place. */
  get lastLogin(): Login | undefined {
    const last = this.#last;
    const { refused } = this.#model;
    if (last === undefined || refused.has(restsOn(last))) return undefined;
    const counts = this.#sources.some(
      (source) => !refused.has(source.id) && (source.id === last.source.id || holds(source, last.token)),
    );
    return counts ? last : undefined;
  }

  get session(): PlatformSession | undefined {
    return this.#login?.session;
  }

  async start(): Promise<void> {
    await this.#poll();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#attempt += 1;
    this.#pause?.cancel();
    this.#nextPoll?.cancel();
    const session = this.#login?.session;
    this.#login = undefined;
    await session?.close();
  }

  /** The sources may have changed: looks now instead of at the next turn. */
  lookForSources(): Promise<void> {
    // One look at a time: an older answer must not come after a newer one.
    this.#look ??= this.#lookOnce().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  async #lookOnce(): Promise<void> {
    let sources: readonly LoginSource[];
    try {
      sources = await this.#parts.sources();
    } catch {
      // The disk will say so again; until then what was known stays true.
      return;
    }
    if (this.#stopped) return;
    this.#sources = sources;
    this.#dispatch({ type: 'sources', sources });
    this.#takeNewToken();
  }

  /**
   * The session stays as it is, and its next login is with the token that somebody's login has saved: that one is cared for. The machine
   * keeps the credential that the session was made with, which alone is refused if the platform ends it for that.
   */
  #takeNewToken(): void {
    const login = this.#login;
    const source = this.#sources.find(({ id }) => !this.#model.refused.has(id));
    if (login === undefined || source?.kind !== 'saved-session') return;
    const [old, found] = [readRefreshToken(login.token), readRefreshToken(source.token)];
    if (!old.ok || !found.ok || found.value.platformId !== old.value.platformId) return;
    if (found.value.expiresAt <= old.value.expiresAt) return;
    this.#last = this.#login = { ...login, token: source.token, source };
    this.#parts.tokenSuperseded();
  }

  /** The session rests on another token from now on. */
  tokenRenewed(login: Login): void {
    if (this.#login?.session === login.session) this.#last = this.#login = login;
    void this.#seeOwn();
  }

  /**
   * Gives up the session as if the platform had ended it: for whoever sees that it is broken. A login under way ends at its own deadline;
   * of two side by side the platform ends one, as if another program had taken the session.
   */
  async abandon(failure: Failure): Promise<void> {
    const { session } = this;
    if (session === undefined) return;
    this.#attempt += 1;
    this.#login = undefined;
    this.#dispatch({ type: 'failed', failure });
    await session.close();
  }

  async #poll(): Promise<void> {
    await this.lookForSources();
    if (!this.#stopped) this.#nextPoll = this.#parts.clock.after(sourcesPollMs, () => void this.#poll());
  }

  /** What this process has saved itself is known before anything else happens: it is no news that would end a wait. */
  async #seeOwn(): Promise<void> {
    await this.#look;
    await this.lookForSources();
  }

  #dispatch(event: SessionEvent): void {
    if (this.#stopped) return;
    const { clock, random, paceMs, changed } = this.#parts;
    const previous = this.#model;
    const { model, effects } = step(previous, event, {
      nowMs: clock.now(),
      random: random(),
      paceMs: paceMs(),
    });
    this.#model = model;
    if (model.state !== previous.state) {
      this.#pause?.cancel();
      this.#since = clock.date();
      changed(model);
    }
    for (const effect of effects) {
      if (effect.type === 'log-on') void this.#logOn(effect.source.id);
      else this.#wait(effect.ms);
    }
  }

  #wait(ms: number): void {
    this.#pause = this.#parts.clock.after(ms, () => void this.#retry());
  }

  /** Looks at the disk first: what is there may be newer than what failed. */
  async #retry(): Promise<void> {
    const { state } = this.#model;
    await this.lookForSources();
    // A new credential may have had its try meanwhile, and may have brought a wait of its own.
    if (this.#model.state === state) this.#dispatch({ type: 'retry-due' });
  }

  async #logOn(id: string): Promise<void> {
    this.#attempt += 1;
    const attempt = this.#attempt;
    const isCurrent = (): boolean => attempt === this.#attempt && !this.#stopped;
    const source = this.#sources.find((each) => each.id === id);
    try {
      if (source === undefined) throw new Error('the machine chose a source that is not there');
      const login = await this.#parts.logIn(source);
      if (!isCurrent()) return void (await login.session.close());
      this.#last = this.#login = login;
      void login.session.ended.then((failure) => this.#lost(login, failure));
      this.#dispatch({ type: 'logged-on', restsOn: restsOn(login) });
    } catch (error) {
      if (source?.kind === 'password') await this.#seeOwn();
      if (isCurrent()) this.#dispatch({ type: 'failed', failure: failureOf(error) });
    }
  }

  #lost(login: Login, failure: Failure): void {
    if (this.session !== login.session) return;
    this.#login = undefined;
    this.#dispatch({ type: 'failed', failure });
  }
}

function holds(source: LoginSource, token: Secret | undefined): boolean {
  return source.kind !== 'password' && source.token.reveal() === token?.reveal();
}
