import { freshProbabilities, type RangeEncoder } from './range-encoder.ts';

// lc = 3: the three highest bits of the byte before choose among eight sets of probabilities.
const contextBits = 3;
const perContext = 0x300;
const byteBits = 8;

/** Single bytes; just after a match, the byte that the match would have gone on with is a hint. */
export class LiteralEncoder {
  readonly #probabilities = freshProbabilities(perContext << contextBits);

  encode(range: RangeEncoder, byte: number, before: number): void {
    range.tree(this.#probabilities, base(before), byteBits, byte);
  }

  encodeAfterMatch(range: RangeEncoder, byte: number, before: number, expected: number): void {
    const start = base(before);
    let node = 1;
    // 0x100 for as long as the bits agree with the expected byte, then 0.
    let agreeing = 0x100;
    for (let position = byteBits - 1; position >= 0; position--) {
      const bit = (byte >>> position) & 1;
      const expectedBit = (expected >>> position) & 1;
      range.bit(this.#probabilities, start + agreeing + (agreeing === 0 ? 0 : expectedBit << 8) + node, bit);
      if (bit !== expectedBit) agreeing = 0;
      node = (node << 1) | bit;
    }
  }
}

function base(before: number): number {
  return perContext * (before >>> (byteBits - contextBits));
}

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

const slotBits = 6;
const lengthClasses = 4;
const alignBits = 4;
// Slots 4–13 model all their bits; from 14 on only the lowest four are modelled.
const firstModelledSlot = 4;
const firstDirectSlot = 14;
const modelledDistances = 1 << (firstDirectSlot >> 1);

/** A distance is a slot (its two highest bits and its magnitude), then the bits below those. */
export class DistanceEncoder {
  readonly #slots = freshProbabilities(lengthClasses << slotBits);
  readonly #modelled = freshProbabilities(modelledDistances);
  readonly #align = freshProbabilities(1 << alignBits);

  /** `distance` is counted from zero: the byte just before is 0. */
  encode(range: RangeEncoder, distance: number, length: number): void {
    const slot = slotOf(distance);
    const lengthClass = Math.min(length - shortestMatch, lengthClasses - 1);
    range.tree(this.#slots, lengthClass << slotBits, slotBits, slot);
    if (slot < firstModelledSlot) return;
    const lowerBits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << lowerBits;
    const rest = distance - base;
    if (slot < firstDirectSlot) {
      range.reverseTree(this.#modelled, base - slot, lowerBits, rest);
      return;
    }
    range.direct(rest >>> alignBits, lowerBits - alignBits);
    range.reverseTree(this.#align, 0, alignBits, rest & ((1 << alignBits) - 1));
  }
}

function slotOf(distance: number): number {
  if (distance < firstModelledSlot) return distance;
  const highest = 31 - Math.clz32(distance);
  return (highest << 1) | ((distance >>> (highest - 1)) & 1);
}
