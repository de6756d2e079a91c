import { literalBits, mostBytesALiteral } from './literal-bits.ts';
import { probabilities, type RangeDecoder } from './range-decoder.ts';

/** Of each context: 256 models for a byte alone, and 512 for one that follows a match. */
const contextModels = 0x300;

/** Single bytes, by the high bits of the byte before and the low bits of the position. */
export class LiteralDecoder {
  readonly #models: Uint16Array;
  readonly #contextBits: number;
  readonly #positionMask: number;

  constructor(contextBits: number, positionBits: number) {
    this.#models = probabilities(contextModels << (contextBits + positionBits));
    this.#contextBits = contextBits;
    this.#positionMask = (1 << positionBits) - 1;
  }

  decode(range: RangeDecoder, position: number, before: number): number {
    const base = this.#base(position, before);
    return range.at + mostBytesALiteral <= range.stream.length
      ? literalBits(range, this.#models, base)
      : range.tree(this.#models, base, 8);
  }

  /** `expected` is what would have come, had the match gone on: while its bits come, they pick the model. */
  decodeAfterMatch(range: RangeDecoder, position: number, before: number, expected: number): number {
    const base = this.#base(position, before);
    let symbol = 1;
    let hint = expected;
    while (symbol < 0x100) {
      const hinted = (hint >> 7) & 1;
      hint <<= 1;
      const bit = range.bit(this.#models, base + ((1 + hinted) << 8) + symbol);
      symbol = (symbol << 1) | bit;
      if (bit !== hinted) break;
    }
    while (symbol < 0x100) symbol = (symbol << 1) | range.bit(this.#models, base + symbol);
    return symbol & 0xff;
  }

  #base(position: number, before: number): number {
    const context =
      ((position & this.#positionMask) << this.#contextBits) + (before >> (8 - this.#contextBits));
    return context * contextModels;
  }
}
