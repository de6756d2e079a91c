/** So many in so long. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

/** What Discord allows. A test that has no time for one of them sets another; the double reads them anew each time. */
export interface Limits {
  heartbeatMs: number;
  /** What a client may send to the gateway in one payload. */
  gatewayPayloadBytes: number;
  gatewaySends: Rate;
  presences: Rate;
  /** Between two identifies of one bot. */
  identifySpacingMs: number;
  sessionStarts: Rate;
  /** How long a session whose connection is gone can be resumed. */
  sessionLifeMs: number;
  /** How long a nonce is remembered. */
  nonceLifeMs: number;
  /** Until an interaction is answered for the first time. */
  interactionAnswerMs: number;
  /** How long its token can be used after that. */
  interactionTokenMs: number;
  commandCreates: Rate;
  requests: Rate;
  /** Answers of 401, 403 and 429 before the address is shut out. */
  invalidRequests: Rate;
  /** By `METHOD /path/:of/:route`; each has a bucket for each channel, guild or webhook. */
  routes: Readonly<Record<string, Rate>>;
  otherRoutes: Rate;
  /** Of all webhooks of one channel together. */
  webhookPosts: Rate;
}

/** As documented where it is documented, and as observed by others where it is not. */
export const discordLimits: Readonly<Limits> = {
  heartbeatMs: 41_250,
  gatewayPayloadBytes: 4_096,
  gatewaySends: { limit: 120, windowMs: minuteMs },
  presences: { limit: 5, windowMs: 20 * secondMs },
  identifySpacingMs: 5 * secondMs,
  sessionStarts: { limit: 1_000, windowMs: dayMs },
  sessionLifeMs: 3 * minuteMs,
  nonceLifeMs: 3 * minuteMs,
  interactionAnswerMs: 3 * secondMs,
  interactionTokenMs: 15 * minuteMs,
  commandCreates: { limit: 200, windowMs: dayMs },
  requests: { limit: 50, windowMs: secondMs },
  invalidRequests: { limit: 10_000, windowMs: 10 * minuteMs },
  routes: {
    'POST /channels/:channelId/messages': { limit: 5, windowMs: 5 * secondMs },
    'GET /channels/:channelId/messages': { limit: 5, windowMs: 5 * secondMs },
    'PUT /channels/:channelId/messages/:messageId/reactions/:emoji/@me': { limit: 1, windowMs: 250 },
    'POST /webhooks/:webhookId/:token': { limit: 5, windowMs: 2 * secondMs },
  },
  otherRoutes: { limit: 10, windowMs: secondMs },
  webhookPosts: { limit: 30, windowMs: minuteMs },
};

const unlimited: Rate = { limit: Number.MAX_SAFE_INTEGER, windowMs: secondMs };

/** For tests of something else, which post more than Discord would take in the time: nothing is counted, all else is as strict. */
export const withoutRateLimits: Partial<Limits> = {
  identifySpacingMs: 0,
  presences: unlimited,
  requests: unlimited,
  routes: {},
  otherRoutes: unlimited,
  webhookPosts: unlimited,
};

interface Taken {
  readonly isRefused: boolean;
  readonly remaining: number;
  readonly resetAfterMs: number;
}

/** Counts what is taken of a rate; the time begins with the first that is taken, and all of it is back when the time is over. */
export class RateWindow {
  #endsAt = Number.NEGATIVE_INFINITY;
  #used = 0;

  take(now: number, { limit, windowMs }: Rate): Taken {
    if (now >= this.#endsAt) {
      this.#endsAt = now + windowMs;
      this.#used = 0;
    }
    const isRefused = this.#used >= limit;
    if (!isRefused) this.#used += 1;
    return { isRefused, remaining: Math.max(0, limit - this.#used), resetAfterMs: this.#endsAt - now };
  }

  /** What is left, without taking any. */
  left(now: number, { limit, windowMs }: Rate): Omit<Taken, 'isRefused'> {
    const isOver = now >= this.#endsAt;
    return {
      remaining: isOver ? limit : Math.max(0, limit - this.#used),
      resetAfterMs: isOver ? windowMs : this.#endsAt - now,
    };
  }
}
