import type { Clock } from '@steward/service-kit/clock';
import type { Secret } from '@steward/service-kit/secret';
import { gameAppId } from '@steward/shared/sidecar/download';
import { withDeadline } from '../deadline.ts';
import { type Failure, PlatformFailure } from '../failure.ts';
import { failureOfEresult } from '../failure-table.ts';
import type { ContentDirectory, LobbyData, PlatformSession } from '../platform-session.ts';
import { contentDirectory } from './content-messages.ts';
import { createLobby, updateLobby } from './lobby-messages.ts';
import { hangUp, renewRefreshToken } from './steam-user-internals.ts';
import type { SteamUserClient, SteamUserLibrary } from './steam-user-library.ts';

/** What a request on a live session may take; for a renewal, how long others wait for it. */
const answerLimitMs = 10_000;
/** What logging off may take; whoever waits for it wants to leave. */
const logOffLimitMs = 1_000;
/** What a renewal under way may still take before logging off: within what a service has for its stop. */
const renewalLimitMs = 5_000;

/** So many questions in a row without an answer, and it is asked whether the session is as good as none, whatever its line says. */
const mostUnanswered = 3;

const justEnded: Failure = { class: 'transient', reason: 'The session has just ended' };

const silent: Failure = {
  class: 'transient',
  reason: 'The platform answers nothing on this session',
  noAnswer: true,
};

export interface SteamUserSessionParts {
  readonly library: SteamUserLibrary;
  readonly client: SteamUserClient;
  readonly clock: Clock;
}

/** A logged-on steam-user client. */
export class SteamUserSession implements PlatformSession {
  readonly platformId: string;
  readonly ended: Promise<Failure>;
  readonly content: ContentDirectory = contentDirectory((what, request) =>
    this.#ask(what, ({ client }) => request(client)),
  );
  readonly #parts: SteamUserSessionParts;
  readonly #announceEnd: (failure: Failure) => void;
  /** Of the questions in hand: each is told when nothing more will be answered, whoever ended it. */
  readonly #asked = new Set<(lost: PlatformFailure) => void>();
  #renewal: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #unanswered = 0;
  #isDoubted = false;
  #over = false;

  constructor(parts: SteamUserSessionParts) {
    this.#parts = parts;
    this.platformId = parts.client.steamID?.getSteamID64() ?? '0';
    const { promise, resolve } = Promise.withResolvers<Failure>();
    this.ended = promise;
    this.#announceEnd = resolve;
  }

  /** The session is over, and not by our doing. */
  end(failure: Failure): void {
    if (this.#over) return;
    this.#over = true;
    hangUp(this.#parts.client, 'at-once');
    this.#giveUp();
    this.#announceEnd(failure);
  }

  appTicket(appId: number): Promise<Buffer> {
    return this.#ask('the ticket request', async ({ client }) => {
      const { encryptedAppTicket } = await client.createEncryptedAppTicket(appId);
      return encryptedAppTicket;
    });
  }

  createLobby(appId: number, data: LobbyData): Promise<string> {
    return this.#ask('the creation of a lobby', ({ library, client }) =>
      createLobby(library, client, appId, data),
    );
  }

  updateLobby(appId: number, lobbyId: string, data: LobbyData): Promise<boolean> {
    return this.#ask("the change of a lobby's data", ({ library, client }) =>
      updateLobby(library, client, appId, lobbyId, data),
    );
  }

  renewToken(token: Secret): Promise<Secret | undefined> {
    // The platform says a new token once, and the old one is dead by then: however late, the answer is taken.
    const what = 'the renewal of the token';
    const renewal = this.#whileItLives(what, ({ client }) => renewRefreshToken(client, token));
    this.#renewal = withDeadline(renewal, answerLimitMs, what, this.#parts.clock).catch(() => {});
    return renewal;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { client, clock } = this.#parts;
    // Its answer is not hung up on: nobody hears it again.
    await withDeadline(this.#renewal, renewalLimitMs, 'the renewal of the token', clock).catch(() => {});
    if (this.#over) return;
    this.#over = true;
    this.#giveUp();
    const loggedOff = Promise.withResolvers<void>();
    const limit = clock.after(logOffLimitMs, loggedOff.resolve);
    hangUp(client, 'polite');
    client.once('disconnected', loggedOff.resolve);
    if (client.steamID === null) loggedOff.resolve();
    await loggedOff.promise;
    limit.cancel();
  }

  #ask<T>(what: string, request: (parts: SteamUserSessionParts) => Promise<T>): Promise<T> {
    return this.#whileItLives(what, request, answerLimitMs);
  }

  /** Asks, while the session lives, and turns whatever goes wrong into a failure. */
  async #whileItLives<T>(
    what: string,
    request: (parts: SteamUserSessionParts) => Promise<T>,
    limitMs?: number,
  ): Promise<T> {
    if (this.#over) throw new PlatformFailure(justEnded);
    // Why it ended is no answer to what was asked: a refused session is not a refused ticket.
    const lost = Promise.withResolvers<never>();
    const before = this.#unanswered;
    this.#asked.add(lost.reject);
    try {
      const answer = Promise.race([request(this.#parts), lost.promise]);
      const answered = await (limitMs === undefined
        ? answer
        : withDeadline(answer, limitMs, what, this.#parts.clock));
      this.#unanswered = 0;
      return answered;
    } catch (error) {
      const failure = asFailure(error, what);
      const { noAnswer, eresult } = failure.failure;
      // Those that were asked at once are one silence.
      const unanswered = Math.min(before, this.#unanswered) + 1;
      this.#unanswered = noAnswer === true && eresult === undefined ? unanswered : 0;
      if (this.#unanswered >= mostUnanswered) void this.#doubt();
      throw failure;
    } finally {
      this.#asked.delete(lost.reject);
    }
  }

  /** One service that is silent is no silent session, and a login ends no outage of it: two others are asked before the session ends. */
  async #doubt(): Promise<void> {
    if (this.#isDoubted) return;
    this.#isDoubted = true;
    const { ownsApp, productInfo } = this.content;
    await Promise.allSettled([ownsApp(gameAppId), productInfo(gameAppId)]);
    this.#isDoubted = false;
    if (this.#unanswered >= mostUnanswered) this.end(silent);
  }

  #giveUp(): void {
    for (const tell of this.#asked) tell(new PlatformFailure(justEnded));
  }
}

function asFailure(error: unknown, what: string): PlatformFailure {
  if (error instanceof PlatformFailure) return error;
  const eresult = error instanceof Error && 'eresult' in error ? Number(error.eresult) : Number.NaN;
  if (Number.isInteger(eresult)) return new PlatformFailure(failureOfEresult(eresult));
  const reason = `The platform did not answer ${what}`;
  return new PlatformFailure({ class: 'transient', reason, noAnswer: true });
}
