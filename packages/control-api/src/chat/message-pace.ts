import type { Clock } from '@steward/service-kit/clock';
import type { ChatRelayLimits } from './limits.ts';

export type PaceLimits = Pick<ChatRelayLimits, 'messagesPerSecond' | 'burstSeconds' | 'droppedMessages'>;

/** How fast one client may speak: what comes faster is dropped, and whoever goes on nevertheless has come to the end of patience. */
export class MessagePace {
  readonly #rate: MessageRate;
  readonly #patience: MessageRate;
  readonly #clock: Pick<Clock, 'now'>;
  #isTold = false;

  constructor({ messagesPerSecond, burstSeconds, droppedMessages }: PaceLimits, clock: Pick<Clock, 'now'>) {
    const now = clock.now();
    this.#clock = clock;
    this.#rate = new MessageRate(messagesPerSecond, messagesPerSecond * burstSeconds, now);
    this.#patience = new MessageRate(messagesPerSecond, droppedMessages, now);
  }

  take(): 'within' | 'dropped' | 'too-many' {
    const now = this.#clock.now();
    if (this.#rate.take(now)) {
      this.#isTold = false;
      return 'within';
    }
    return this.#patience.take(now) ? 'dropped' : 'too-many';
  }

  /** True once for each time that the client has become too fast: it need not be told with every message. */
  tellOnce(): boolean {
    const isFirst = !this.#isTold;
    this.#isTold = true;
    return isFirst;
  }
}

/** A token bucket: so many a second, and up to `most` at once after a pause. */
class MessageRate {
  readonly #perMs: number;
  readonly #most: number;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, most: number, now: number) {
    this.#perMs = perSecond / 1_000;
    this.#most = most;
    this.#tokens = most;
    this.#at = now;
  }

  /** Whether one more is within the rate at this time. */
  take(now: number): boolean {
    this.#tokens = Math.min(this.#most, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
