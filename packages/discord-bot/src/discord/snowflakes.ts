import type { Clock } from '@steward/service-kit/clock';

/** When Discord began to count, in milliseconds. */
const epochMs = 1_420_070_400_000n;
const timeBits = 22n;

/** Ids grow: a message with a greater one was written later. */
export function isNewer(one: string, other: string): boolean {
  return BigInt(one) > BigInt(other);
}

/** When what has the id was made, in milliseconds. */
export function madeAtMs(id: string): number {
  return Number((BigInt(id) >> timeBits) + epochMs);
}

/** The least id that a message may have that is written then. */
export function idAt(ms: number): string {
  return String((BigInt(Math.trunc(ms)) - epochMs) << timeBits);
}

/** What time it is at Discord, as its answers say: ids are of that clock, and this machine's may be hours off. */
export class DiscordTime {
  readonly #clock: Pick<Clock, 'now' | 'date'>;
  #heard: { readonly ms: number; readonly at: number } | undefined;

  constructor(clock: Pick<Clock, 'now' | 'date'>) {
    this.#clock = clock;
  }

  /** Told of the header `Date` of an answer. */
  heard(date: string | null): void {
    const ms = Date.parse(date ?? '');
    if (!Number.isNaN(ms)) this.#heard = { ms, at: this.#clock.now() };
  }

  /** Goes on from the last answer by what has passed since: whoever sets this machine's clock in between changes nothing. */
  nowMs(): number {
    if (this.#heard === undefined) return this.#clock.date().getTime();
    return this.#heard.ms + this.#clock.now() - this.#heard.at;
  }
}
