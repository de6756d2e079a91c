import type { Clock, Timer } from '@steward/service-kit/clock';
import { gameAppId } from '@steward/shared/sidecar/download';
import type { LobbyAnswer, LobbyRequest } from '@steward/shared/sidecar/platform';
import { lobbyVisibility, timestampOf } from '@steward/shared/wire-values';
import { type Contention, contentionLimits } from '../platform/contention.ts';
import { failureOf } from '../platform/failure.ts';
import type { LobbyData, PlatformSession } from '../platform/platform-session.ts';
import { hasRoom, type LobbyWish, noWish, toLobbyData, withRequest } from './lobby-wish.ts';

/** How often the lobby is told again what it is: a dead one is noticed that way, and none stays less than public. */
const reassertMs = 30_000;
const retryMs = 5_000;

/** Before a lobby is asked for again that the platform refuses, as one too many or to this account; doubled each time. */
const refusalMs = { first: 60_000, longest: 15 * 60_000 } as const;

const leftToTheOther =
  'Another program has taken over the lobby of this account again, and keeps it for a while';

interface Open {
  readonly id: string;
  readonly session: PlatformSession;
}

/** What no hurry changes: neither a request nor a new session of this account has it asked for sooner. */
interface Refusal {
  readonly platformId: string;
  readonly reason: string;
  /** In a row. */
  readonly times: number;
  readonly until: number;
}

export interface LobbyKeeperParts {
  readonly session: () => PlatformSession | undefined;
  readonly clock: Clock;
  readonly contention: Pick<Contention, 'isWatching' | 'lobbyTaken' | 'held'>;
  /** Told of each lobby that came to be: the first one, and every one that replaced a lost one. */
  readonly opened: (count: number) => void;
}

/** Keeps the lobby that was asked for alive: through sessions, and through lobbies that the platform closed. */
export class LobbyKeeper {
  readonly #parts: LobbyKeeperParts;
  #wish: LobbyWish | undefined;
  #open: Open | undefined;
  #created = 0;
  /** While it is left to another program that uses the account. */
  #pausedUntil = 0;
  #refusal: Refusal | undefined;
  /** A lobby may have come to be that we know nothing of: it ends the one that we open next. */
  #mayComeLate = false;
  #reason: string | undefined;
  #since: string;
  #work: Promise<void> = Promise.resolve();
  #next: Timer | undefined;
  #stopped = false;

  constructor(parts: LobbyKeeperParts) {
    this.#parts = parts;
    this.#since = timestampOf(parts.clock.date());
  }

  /** Whether it can be remembered beside what earlier requests set. */
  takes(request: LobbyRequest): boolean {
    return hasRoom(this.#wish ?? noWish, request);
  }

  /** Remembers what is asked for, whether or not it can be done now, and does it as far as possible. */
  async put(request: LobbyRequest): Promise<LobbyAnswer> {
    this.#wish = withRequest(this.#wish ?? noWish, request);
    await this.keep();
    return this.answer;
  }

  get answer(): LobbyAnswer {
    const { maxMembers, metadata } = toLobbyData(this.#wish ?? noWish);
    const current = this.#current;
    return {
      state: this.#state,
      ...(current === undefined ? {} : { lobby_id: current.id }),
      visibility: lobbyVisibility,
      max_members: maxMembers,
      metadata: { ...metadata },
      created: this.#created,
      since: this.#since,
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      ...(this.#waitMs === 0 ? {} : { next_retry: this.#in(this.#waitMs) }),
    };
  }

  /** Brings the platform in line with the wish; calls that come meanwhile are done in their order. */
  keep(): Promise<void> {
    this.#work = this.#work.then(() => this.#keepOnce());
    return this.#work;
  }

  /** The lobby died with its session. */
  sessionLost(reason: string): void {
    if (this.#open === undefined) return;
    this.#close(reason);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#next?.cancel();
    await this.#work;
  }

  /** A lobby lives no longer than the session that opened it. */
  get #current(): Open | undefined {
    return this.#open?.session === this.#parts.session() ? this.#open : undefined;
  }

  get #state(): LobbyAnswer['state'] {
    if (this.#wish === undefined) return 'none';
    if (this.#current !== undefined) return 'open';
    return this.#created === 0 ? 'creating' : 'lost';
  }

  async #keepOnce(): Promise<void> {
    const session = this.#parts.session();
    if (this.#wish === undefined || this.#stopped) return;
    if (session === undefined) {
      this.#close('There is no platform session');
      return;
    }
    if (this.#refusal?.platformId !== session.platformId) this.#refusal = undefined;
    const data = toLobbyData(this.#wish);
    try {
      if (await this.#update(session, data)) this.#again(this.#lookMs);
      else if (this.#waitMs > 0) {
        this.#reason = this.#pauseMs > 0 ? leftToTheOther : this.#refusal?.reason;
        this.#again(this.#waitMs);
      } else {
        await this.#create(session, data);
        this.#again(this.#lookMs);
      }
    } catch (error) {
      const { reason } = failureOf(error);
      if (this.#open?.session !== session) this.#close(reason);
      this.#reason = reason;
      this.#again(Math.max(retryMs, this.#waitMs));
    }
  }

  #refused(platformId: string, reason: string): void {
    const times = (this.#refusal?.times ?? 0) + 1;
    const ms = Math.min(refusalMs.first * 2 ** (times - 1), refusalMs.longest);
    this.#refusal = { platformId, reason, times, until: this.#parts.clock.now() + ms };
  }

  async #update(session: PlatformSession, data: LobbyData): Promise<boolean> {
    if (this.#open?.session !== session) return false;
    if (await session.updateLobby(gameAppId, this.#open.id, data)) {
      this.#reason = undefined;
      return true;
    }
    this.#close('The platform closed the lobby');
    // The platform was slow, and nobody else has to be there for this.
    const isOwnDoing = this.#mayComeLate;
    this.#mayComeLate = false;
    if (!isOwnDoing) this.#pausedUntil = this.#parts.clock.now() + this.#parts.contention.lobbyTaken();
    return false;
  }

  async #create(session: PlatformSession, data: LobbyData): Promise<void> {
    const id = await session.createLobby(gameAppId, data).catch((error) => {
      const { class: failureClass, reason, noAnswer } = failureOf(error);
      this.#mayComeLate ||= noAnswer === true;
      if (failureClass !== 'transient') this.#refused(session.platformId, reason);
      throw error;
    });
    // Created into a session that ended meanwhile: it is gone with it.
    if (this.#parts.session() !== session) return;
    this.#open = { id, session };
    this.#created += 1;
    this.#reason = undefined;
    this.#refusal = undefined;
    this.#since = timestampOf(this.#parts.clock.date());
    this.#parts.opened(this.#created);
    this.#parts.contention.held('lobby');
  }

  get #pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#parts.clock.now());
  }

  /** How long no lobby is to be opened. */
  get #waitMs(): number {
    return Math.max(this.#pauseMs, (this.#refusal?.until ?? 0) - this.#parts.clock.now());
  }

  get #lookMs(): number {
    return this.#parts.contention.isWatching ? contentionLimits.watchMs : reassertMs;
  }

  #in(ms: number): string {
    return timestampOf(this.#parts.clock.date().getTime() + ms);
  }

  #close(reason: string): void {
    if (this.#open !== undefined) this.#since = timestampOf(this.#parts.clock.date());
    this.#open = undefined;
    this.#reason = reason;
  }

  #again(ms: number): void {
    this.#next?.cancel();
    if (!this.#stopped) this.#next = this.#parts.clock.after(ms, () => void this.keep());
  }
}
