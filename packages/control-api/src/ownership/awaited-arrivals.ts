import type { Clock } from '@steward/service-kit/clock';

/** A game may take this long from the approval to the arrival: it lets nobody in while it saves. */
const longestWayMs = 120_000;

/** Slots whose claim was approved and whose player the game has not shown yet: no such claim is abandoned. */
export class AwaitedArrivals {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #awaited = new Map<string, { readonly connectionId: string; readonly until: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** One connection takes one farmhand: whichever it was approved for before, it has thought better of. */
  approved(farmhandId: string, connectionId: string): void {
    for (const [other, { connectionId: by }] of this.#awaited)
      if (by === connectionId) this.#awaited.delete(other);
    this.#awaited.set(farmhandId, { connectionId, until: this.#clock.now() + longestWayMs });
  }

  ended(farmhandId: string): void {
    this.#awaited.delete(farmhandId);
  }

  isAwaited = (farmhandId: string): boolean => {
    this.#giveUp();
    return this.#awaited.has(farmhandId);
  };

  get any(): boolean {
    return this.#awaited.size > 0;
  }

  #giveUp(): void {
    const now = this.#clock.now();
    for (const [farmhandId, { until }] of this.#awaited) if (until <= now) this.#awaited.delete(farmhandId);
  }
}
