import type { Dice } from '../chaos/dice.ts';
import type { ChaosFault } from '../chaos/faults.ts';
import { endsSidecar } from './soak-faults.ts';

/** Whole decks of faults, one after the other; what may not be played now waits. */
export class Decks {
  readonly #dice: Dice;
  readonly #all: readonly ChaosFault[];
  #left: ChaosFault[] = [];

  constructor(dice: Dice, all: readonly ChaosFault[]) {
    this.#dice = dice;
    this.#all = all;
  }

  /** For one storm, in which the sidecar ends once at most. */
  some(count: number, mayBe: (fault: ChaosFault) => boolean): readonly ChaosFault[] {
    const drawn: ChaosFault[] = [];
    const fits = (fault: ChaosFault) => mayBe(fault) && !(endsSidecar(fault) && drawn.some(endsSidecar));
    while (drawn.length < count) {
      const at = this.#left.findIndex(fits);
      if (at === -1) this.#left.push(...this.#dice.shuffled(this.#all));
      else drawn.push(...this.#left.splice(at, 1));
    }
    return drawn;
  }
}
