import type { Account } from '../accounts/account.ts';

/** How long the real platform makes an account wait between two encrypted tickets for one app. */
const cooldownMs = 60_000;

export class TicketCooldown {
  readonly #last = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a ticket that is given; false while it is too early for one. */
  allows(account: Account, appId: number): boolean {
    const key = `${account.steamId}:${appId}`;
    const last = this.#last.get(key);
    if (last !== undefined && this.#now() - last < cooldownMs) return false;
    this.#last.set(key, this.#now());
    return true;
  }

  /** As if the time were over. */
  lift(): void {
    this.#last.clear();
  }
}
