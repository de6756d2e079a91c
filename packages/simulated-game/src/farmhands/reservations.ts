import type { Schedule } from '../time/schedule.ts';

// A player who is shown the fresh slot has this long before it is shown to somebody else.
export const reservationMs = 30_000;

interface Reservation {
  readonly connectionId: string;
  readonly until: number;
}

/** Fresh slots that have been offered to somebody, and slots whose claim is being decided. */
export class Reservations {
  readonly #schedule: Schedule;
  readonly #offered = new Map<string, Reservation>();
  readonly #deciding = new Map<string, string>();

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  offer(farmhandId: string, connectionId: string): void {
    this.#offered.set(farmhandId, { connectionId, until: this.#schedule.now + reservationMs });
  }

  /** Until the decision is there, nobody else may claim the slot. False when somebody else is ahead. */
  startDeciding(farmhandId: string, connectionId: string): boolean {
    if (!this.isFreeFor(farmhandId, connectionId)) return false;
    this.#deciding.set(farmhandId, connectionId);
    return true;
  }

  isFreeFor(farmhandId: string, connectionId: string): boolean {
    const deciding = this.#deciding.get(farmhandId);
    if (deciding !== undefined && deciding !== connectionId) return false;
    const offer = this.#offered.get(farmhandId);
    return offer === undefined || offer.connectionId === connectionId || offer.until <= this.#schedule.now;
  }

  release(connectionId: string): void {
    for (const [farmhandId, offer] of this.#offered) {
      if (offer.connectionId === connectionId) this.#offered.delete(farmhandId);
    }
    for (const [farmhandId, deciding] of this.#deciding) {
      if (deciding === connectionId) this.#deciding.delete(farmhandId);
    }
  }

  clear(): void {
    this.#offered.clear();
    this.#deciding.clear();
  }
}
