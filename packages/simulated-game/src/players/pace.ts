import type { Faults } from '../faults/faults.ts';
import type { Random } from '../time/random.ts';
import type { Appointment, Schedule } from '../time/schedule.ts';

// How long people and their machines take, in milliseconds from and to.
const choosing = [500, 4_000] as const;
const creation = [8_000, 40_000] as const;
const characterData = [1_000, 18_000] as const;
const nameSync = [200, 2_000] as const;
// With names that come late, on top of all that.
const lateness = 60_000;

/** One player's own speed. There is one thing at a time that a player is about to do. */
export class Pace {
  readonly #random: Random;
  readonly #schedule: Schedule;
  readonly #faults: Faults;
  #next: Appointment | undefined;

  constructor(random: Random, schedule: Schedule, faults: Faults) {
    this.#random = random;
    this.#schedule = schedule;
    this.#faults = faults;
  }

  choosing(action: () => void): void {
    this.#after(choosing, 0, action);
  }

  creation(action: () => void): void {
    this.#after(creation, 0, action);
  }

  characterData(action: () => void): void {
    this.#after(characterData, this.#late, action);
  }

  nameSync(action: () => void): void {
    this.#after(nameSync, this.#late, action);
  }

  /** The player does not do it after all. */
  stop(): void {
    this.#next?.cancel();
    this.#next = undefined;
  }

  get #late(): number {
    return this.#faults.isOn('late-names') ? lateness : 0;
  }

  #after([least, most]: readonly [number, number], more: number, action: () => void): void {
    this.stop();
    this.#next = this.#schedule.after(this.#random.integer(least, most) + more, action);
  }
}
