import { freshProbabilities, type RangeEncoder } from './range-encoder.ts';

export const shortestMatch = 2;
export const longestMatch = 273;
const positionStates = 4;
const lowBits = 3;
const highBits = 8;
const lowCount = 1 << lowBits;
const perPositionState = lowCount;
const low = 2;
const mid = low + positionStates * perPositionState;
const high = mid + positionStates * perPositionState;

/** Lengths 2–9 and 10–17 have short codes of their own for each position state, the rest share a long one. */
export class LengthEncoder {
  readonly #probabilities = freshProbabilities(high + (1 << highBits));

  encode(range: RangeEncoder, length: number, positionState: number): void {
    const probabilities = this.#probabilities;
    const value = length - shortestMatch;
    if (value < lowCount) {
      range.bit(probabilities, 0, 0);
      range.tree(probabilities, low + positionState * perPositionState, lowBits, value);
      return;
    }
    range.bit(probabilities, 0, 1);
    if (value < 2 * lowCount) {
      range.bit(probabilities, 1, 0);
      range.tree(probabilities, mid + positionState * perPositionState, lowBits, value - lowCount);
      return;
    }
    range.bit(probabilities, 1, 1);
    range.tree(probabilities, high, highBits, value - 2 * lowCount);
  }
}
