import { probabilities, type RangeDecoder } from './range-decoder.ts';

const shortest = 2;
const shortBits = 3;
const longBits = 8;
const mostPositionStates = 16;
const shorts = mostPositionStates << shortBits;

/** How many bytes a match has: of three sizes, the two small ones with a model for each position. */
export class LengthDecoder {
  readonly #choice = probabilities(2);
  readonly #low = probabilities(shorts);
  readonly #middle = probabilities(shorts);
  readonly #high = probabilities(1 << longBits);

  decode(range: RangeDecoder, position: number): number {
    const base = position << shortBits;
    if (range.bit(this.#choice, 0) === 0) return shortest + range.tree(this.#low, base, shortBits);
    const middle = shortest + (1 << shortBits);
    if (range.bit(this.#choice, 1) === 0) return middle + range.tree(this.#middle, base, shortBits);
    return middle + (1 << shortBits) + range.tree(this.#high, 0, longBits);
  }
}
