import type { Clock } from '@steward/service-kit/clock';
import type { Secret } from '@steward/service-kit/secret';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { gameAppId } from '@steward/shared/sidecar/download';
import { type Failure, failureOf } from '../platform/failure.ts';
import { resultCodes } from '../platform/platform-constants.ts';
import type { PlatformSession } from '../platform/platform-session.ts';

/** The platform's ticket outlives this by far, and a caller has to get some use of what it is given. */
const ticketLifetimeMs = 10 * 60_000;
/** The platform gives no second ticket for an app within a minute, and takes further asking amiss. */
const cooldownMs = 60_000;
const pauseAfterFailureMs = 5_000;
/** Sooner than a caller gives up, who would take this service for away. The request goes on, and its ticket is there for who asks again. */
const answerWithinMs = 7_000;

/** Whose ticket it is: a session, and the token that it rests on. */
interface TicketHolder {
  readonly session: PlatformSession;
  readonly token: Secret;
}

interface Ticket {
  readonly ticket: Buffer;
  readonly platformId: string;
}

export interface TicketAnswer extends Ticket {
  readonly source: 'fresh' | 'cached';
}

export const ticketOutcomes = ['fresh', 'cached', 'refused'] as const;

export type TicketOutcome = (typeof ticketOutcomes)[number];

/** Why there is no ticket. `retryAfterMs` is when asking again makes sense. */
export class NoTicket extends Error {
  readonly failure: Failure;
  readonly isNotOwned: boolean;
  readonly retryAfterMs: number;

  constructor(failure: Failure, isNotOwned: boolean, retryAfterMs: number) {
    super(failure.reason);
    this.name = 'NoTicket';
    this.failure = failure;
    this.isNotOwned = isNotOwned;
    this.retryAfterMs = retryAfterMs;
  }
}

interface Entry {
  readonly platformId: string;
  readonly token: Secret;
  readonly answer: Promise<Ticket>;
  /** The answer, once it is there and good. */
  ticket?: Ticket;
  /** Until when the answer, good or bad, is given again; absent while it is awaited. */
  untilMs?: number;
}

export interface AppTicketsParts {
  readonly clock: Clock;
  readonly counted: (outcome: TicketOutcome) => void;
}

/** One platform request serves everybody who asks while it is under way, and for ten minutes after. */
export class AppTickets {
  readonly #parts: AppTicketsParts;
  #entry: Entry | undefined;

  constructor(parts: AppTicketsParts) {
    this.#parts = parts;
  }

  async ticket(holder: TicketHolder): Promise<TicketAnswer> {
    const { counted, clock } = this.#parts;
    const known = this.#known(holder);
    const entry = known ?? this.#ask(holder);
    const late = Promise.withResolvers<never>();
    const timer = clock.after(answerWithinMs, () =>
      late.reject(new NoTicket(notYet, false, pauseAfterFailureMs)),
    );
    try {
      const ticket = await Promise.race([entry.answer, late.promise]);
      const source = known === undefined ? 'fresh' : 'cached';
      counted(source);
      return { ...ticket, source };
    } catch (error) {
      counted('refused');
      throw error instanceof NoTicket ? error : this.#noTicket(error, entry);
    } finally {
      timer.cancel();
    }
  }

  /** What was fetched before and is good still, for the time in which nobody could fetch another; without it the caller is refused. */
  kept(holder: TicketHolder | undefined): TicketAnswer | undefined {
    const { counted } = this.#parts;
    const ticket = holder === undefined ? undefined : this.#known(holder)?.ticket;
    counted(ticket === undefined ? 'refused' : 'cached');
    if (ticket === undefined) return undefined;
    return { ...ticket, source: 'cached' };
  }

  #known(holder: TicketHolder): Entry | undefined {
    const entry = this.#entry;
    if (entry === undefined || !isOf(entry, holder)) return undefined;
    return entry.untilMs === undefined || this.#parts.clock.now() < entry.untilMs ? entry : undefined;
  }

  #ask(holder: TicketHolder): Entry {
    const { clock } = this.#parts;
    const { session, token } = holder;
    const { platformId } = session;
    const answer = session.appTicket(gameAppId).then((ticket) => ({ ticket, platformId }));
    const entry: Entry = { platformId, token, answer };
    this.#entry = entry;
    answer.then(
      (ticket) => {
        entry.ticket = ticket;
        entry.untilMs = clock.now() + ticketLifetimeMs;
      },
      (error: unknown) => {
        entry.untilMs = clock.now() + pauseAfter(failureOf(error));
      },
    );
    return entry;
  }

  #noTicket(error: unknown, { untilMs = 0 }: Entry): NoTicket {
    const met = failureOf(error);
    const failure = met.eresult === resultCodes.limitExceeded ? tooSoon : met;
    const retryAfterMs = Math.max(untilMs - this.#parts.clock.now(), 0);
    return new NoTicket(failure, failure.eresult === resultCodes.accessDenied, retryAfterMs);
  }
}

function pauseAfter({ eresult }: Failure): number {
  return eresult === resultCodes.limitExceeded || eresult === resultCodes.accessDenied
    ? cooldownMs
    : pauseAfterFailureMs;
}

/** A ticket belongs to an account, and is not handed out on the word of a token that was replaced. */
function isOf(entry: Entry, { session, token }: TicketHolder): boolean {
  return entry.platformId === session.platformId && entry.token.reveal() === token.reveal();
}

const notYet: Failure = {
  class: 'transient',
  reason: `The platform has not answered the request for a ticket within ${answerWithinMs / 1_000} s`,
};

/** What LimitExceeded means where a ticket was asked for; anywhere else it is about logins. */
export const tooSoon: Failure = {
  class: 'rate-limited',
  reason: 'The platform has just given this account a ticket, and gives one a minute (LimitExceeded)',
  remedy: 'Run it again in a minute',
  eresult: resultCodes.limitExceeded,
};

/** What an operator reads when the account lacks the game, wherever that shows. */
export const notOwned: MendableTrouble = {
  reason: 'The platform account does not own the game',
  remedy: 'Buy the game for this account, or run `platform-auth login` with one that has it',
};
