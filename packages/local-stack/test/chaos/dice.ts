import { seededRandom } from '@steward/testing/seeded-random';

/** All choices of a run, from one seed: the same seed makes the same ones in the same order. */
export class Dice {
  /** From 0 up to 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
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
