import type { Clock, Timer } from '@steward/service-kit/clock';
import type { BridgeLimits } from '../state/limits.ts';
import type { GameLink } from './game-link.ts';
import type { Hands } from './operation-commands.ts';
import type { Operations } from './operations.ts';

/** As many as one question to a journal may name. */
const idsAtOnce = 100;

/** Asks a journal about every unknown outcome of its kind, until there is none. */
export class Settlement {
  readonly #operations: Operations;
  readonly #clock: Clock;
  readonly #limits: Pick<BridgeLimits, 'journalAgainMs'>;
  readonly #hands: Hands;
  #link: GameLink | undefined;
  #asking = false;
  #again: Timer | undefined;

  constructor(
    operations: Operations,
    clock: Clock,
    limits: Pick<BridgeLimits, 'journalAgainMs'>,
    hands: Hands,
  ) {
    this.#hands = hands;
    this.#operations = operations;
    this.#clock = clock;
    this.#limits = limits;
  }

  connected(link: GameLink | undefined): void {
    this.#link = link;
    this.#again?.cancel();
    this.#asking = false;
    this.look();
  }

  look(): void {
    const link = this.#link;
    if (link === undefined || this.#asking) return;
    const ids = this.#operations.unsettled(link.farmId, this.#hands).slice(0, idsAtOnce);
    if (ids.length === 0) return;
    this.#asking = true;
    void this.#ask(link, ids);
  }

  async #ask(link: GameLink, ids: readonly string[]): Promise<void> {
    const entries = await link.journal(ids);
    if (link !== this.#link) return;
    for (const entry of entries ?? []) {
      // A game may only speak of what it was asked about.
      if (ids.includes(entry.command)) this.#operations.journalSays(entry);
    }
    this.#again = this.#clock.after(this.#limits.journalAgainMs, () => {
      this.#asking = false;
      this.look();
    });
  }
}
