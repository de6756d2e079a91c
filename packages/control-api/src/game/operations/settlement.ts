import type { Clock, Timer } from '@steward/service-kit/clock';
import type { BridgeLimits } from '../state/limits.ts';
import type { GameCommands } from './game-commands.ts';
import type { GameLink } from './game-link.ts';

/** As many as one question to a journal may name. */
const idsAtOnce = 100;

/** Asks the game's journal about every unknown outcome, until there is none. */
export class Settlement {
  readonly #commands: GameCommands;
  readonly #clock: Clock;
  readonly #limits: Pick<BridgeLimits, 'journalAgainMs'>;
  #link: GameLink | undefined;
  #asking = false;
  #again: Timer | undefined;

  constructor(commands: GameCommands, clock: Clock, limits: Pick<BridgeLimits, 'journalAgainMs'>) {
    this.#commands = commands;
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
    const ids = this.#commands.unsettled(link.farmId).slice(0, idsAtOnce);
    if (ids.length === 0) return;
    this.#asking = true;
    void this.#ask(link, ids);
  }

  async #ask(link: GameLink, ids: readonly string[]): Promise<void> {
    const entries = await link.journal(ids);
    if (link !== this.#link) return;
    for (const entry of entries ?? []) {
      // A game may only speak of what it was asked about.
      if (ids.includes(entry.command)) this.#commands.journalSays(entry);
    }
    this.#again = this.#clock.after(this.#limits.journalAgainMs, () => {
      this.#asking = false;
      this.look();
    });
  }
}
