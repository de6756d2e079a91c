import { createHash } from 'node:crypto';
import type { Clock } from '@steward/service-kit/clock';
import { type Limits, type Rate, RateWindow } from '../rules/limits.ts';

type Scope = 'user' | 'global' | 'shared';

/** Too much was asked: not now. */
export class RateLimited extends Error {
  readonly retryAfterMs: number;
  readonly scope: Scope;

  constructor(retryAfterMs: number, scope: Scope) {
    super('You are being rate limited.');
    this.retryAfterMs = retryAfterMs;
    this.scope = scope;
  }

  get body(): object {
    return {
      message: this.message,
      retry_after: this.retryAfterMs / 1_000,
      global: this.scope === 'global',
    };
  }

  /** Whole seconds, and never too few. */
  get headers(): Readonly<Record<string, string>> {
    return {
      'Retry-After': String(Math.ceil(this.retryAfterMs / 1_000)),
      'X-RateLimit-Scope': this.scope,
      ...(this.scope === 'global' ? { 'X-RateLimit-Global': 'true' } : {}),
    };
  }
}

/** Who asks: a bot by its token, or an address. */
type Asker = 'bot' | 'address';

export interface Asking {
  /** `METHOD /path/:of/:route` */
  readonly route: string;
  /** The id that a route has a bucket for each of. */
  readonly major: string;
  readonly asker: Asker;
  /** Answers to interactions are bound by no limit of the bot's. */
  readonly isInteraction: boolean;
}

/** Counts what is asked, by route and in all. */
export class RateLimits {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, RateWindow>();
  readonly #all = { bot: new RateWindow(), address: new RateWindow() };
  readonly #invalid = new RateWindow();

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Throws when too much was asked in all. */
  takeOfAll({ asker, isInteraction }: Asking): void {
    if (isInteraction) return;
    const { isRefused, resetAfterMs } = this.#all[asker].take(this.#clock.now(), this.#limits.requests);
    if (isRefused) throw new RateLimited(resetAfterMs, 'global');
  }

  /** What is said of the route's bucket, whether it is full or not. */
  takeOfRoute({ route, major }: Asking): {
    headers: Readonly<Record<string, string>>;
    refusal?: RateLimited;
  } {
    const rate = this.#limits.routes[route] ?? this.#limits.otherRoutes;
    const { isRefused, remaining, resetAfterMs } = this.#take(`${route} ${major}`, rate);
    const resetAt = this.#clock.date().getTime() + resetAfterMs;
    const headers = {
      'X-RateLimit-Limit': String(rate.limit),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': (resetAt / 1_000).toFixed(3),
      'X-RateLimit-Reset-After': (resetAfterMs / 1_000).toFixed(3),
      'X-RateLimit-Bucket': createHash('md5').update(route).digest('hex'),
    };
    return isRefused ? { headers, refusal: new RateLimited(resetAfterMs, 'user') } : { headers };
  }

  /** All webhooks of a channel share what may be posted into it; no header tells of it before. */
  takeOfWebhooks(channelId: string): void {
    const { isRefused, resetAfterMs } = this.#take(`webhooks ${channelId}`, this.#limits.webhookPosts);
    if (isRefused) throw new RateLimited(resetAfterMs, 'shared');
  }

  /** Answers that should not have been needed; what is shared with others is nobody's fault. */
  countInvalid(status: number, refusal: RateLimited | undefined): void {
    if (![401, 403, 429].includes(status) || refusal?.scope === 'shared') return;
    this.#invalid.take(this.#clock.now(), this.#limits.invalidRequests);
  }

  /** How long the address is shut out, in milliseconds; 0 for not at all. */
  get shutOutForMs(): number {
    const { remaining, resetAfterMs } = this.#invalid.left(this.#clock.now(), this.#limits.invalidRequests);
    return remaining === 0 ? resetAfterMs : 0;
  }

  get invalidRequests(): number {
    const { limit } = this.#limits.invalidRequests;
    return limit - this.#invalid.left(this.#clock.now(), this.#limits.invalidRequests).remaining;
  }

  #take(key: string, rate: Rate) {
    const bucket = this.#buckets.get(key) ?? new RateWindow();
    this.#buckets.set(key, bucket);
    return bucket.take(this.#clock.now(), rate);
  }
}
