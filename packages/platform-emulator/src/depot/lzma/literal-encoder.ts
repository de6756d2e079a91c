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
