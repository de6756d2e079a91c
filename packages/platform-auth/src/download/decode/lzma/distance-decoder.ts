import { probabilities, type RangeDecoder } from './range-decoder.ts';

const slotBits = 6;
/** Matches of this length and longer share one model. */
const lengthStates = 4;
const shortestMatch = 2;
/** Slots below are the distance itself; from the second on, its lowest bits have one model in common. */
const firstSlotWithBits = 4;
const firstSlotWithAlignment = 14;
const alignmentBits = 4;

/** How far back a match begins, counted from zero: a slot tells the highest two bits and how many follow. */
export class DistanceDecoder {
  readonly #slots = probabilities(lengthStates << slotBits);
  readonly #special = probabilities(1 << 7);
  readonly #alignment = probabilities(1 << alignmentBits);

  decode(range: RangeDecoder, length: number): number {
    const state = Math.min(length - shortestMatch, lengthStates - 1);
    const slot = range.tree(this.#slots, state << slotBits, slotBits);
    if (slot < firstSlotWithBits) return slot;
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < firstSlotWithAlignment) return high + range.reverseTree(this.#special, high - slot, bits);
    const middle = range.direct(bits - alignmentBits) << alignmentBits;
    return (high + middle + range.reverseTree(this.#alignment, 0, alignmentBits)) >>> 0;
  }
}
