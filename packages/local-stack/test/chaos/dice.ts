/** All choices of a run, from one seed (mulberry32): the same seed makes the same ones in the same order. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  upTo(most: number): number {
    return this.next() * most;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.upTo(list.length))];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, at: this.next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ item }) => item);
  }
}
