import { shortestMatch } from './length-encoder.ts';
import { freshProbabilities, type RangeEncoder } from './range-encoder.ts';

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
