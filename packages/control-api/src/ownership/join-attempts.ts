import type { Clock } from '@steward/service-kit/clock';

/** A client asks again and again while its player chooses; after such a silence it is a new try. */
const silenceMs = 120_000;

/** More connections than this at once are nobody's players. */
const mostAttempts = 1_000;

/** Knows which connections are trying to join already, so that each try is told of once. */
export class JoinAttempts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lastAsked = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** True for the first question of a try. */
  begins(connectionId: string): boolean {
    const now = this.#clock.now();
    const last = this.#lastAsked.get(connectionId);
    this.#lastAsked.delete(connectionId);
    this.#lastAsked.set(connectionId, now);
    const [oldest] = this.#lastAsked.keys();
    if (this.#lastAsked.size > mostAttempts && oldest !== undefined) this.#lastAsked.delete(oldest);
    return last === undefined || now - last > silenceMs;
  }

  /** A network id is the same each time its player comes. */
  ended(connectionId: string): void {
    this.#lastAsked.delete(connectionId);
  }
}
