import { DecodeError } from '../decode-error.ts';

export const probabilityBits = 11;
const even = 1 << (probabilityBits - 1);
const shift = 5;
/** Turns an unsigned comparison into a signed one; signed 32-bit integers are what engines keep without a box. */
const sign = 0x80000000 | 0;
const headBytes = 5;

export function probabilities(count: number): Uint16Array {
  return new Uint16Array(count).fill(even);
}

/** Where a decoder stands in its stream. */
export interface RangeState {
  readonly stream: Uint8Array;
  at: number;
  range: number;
  code: number;
}

/** Takes bits out of an LZMA stream, each by what was learnt of its like before. */
export class RangeDecoder implements RangeState {
  readonly stream: Uint8Array;
  at = headBytes;
  range = -1;
  code: number;

  constructor(stream: Uint8Array) {
    if (stream.length < headBytes || stream[0] !== 0) throw new DecodeError('is not an LZMA stream');
    this.stream = stream;
    this.code = new DataView(stream.buffer, stream.byteOffset).getInt32(1);
  }

  /** Whether more was taken than there was. */
  get isExhausted(): boolean {
    return this.at > this.stream.length;
  }

  bit(model: Uint16Array, index: number): 0 | 1 {
    const probability = model[index] as number;
    const bound = Math.imul(this.range >>> probabilityBits, probability);
    if ((this.code ^ sign) < (bound ^ sign)) {
      this.range = bound;
      model[index] = probability + ((2 * even - probability) >>> shift);
      if (bound >>> 24 === 0) this.#fill();
      return 0;
    }
    this.range = (this.range - bound) | 0;
    this.code = (this.code - bound) | 0;
    model[index] = probability - (probability >>> shift);
    if (this.range >>> 24 === 0) this.#fill();
    return 1;
  }

  /** A number of some bits, the highest first, each with a model for every beginning. */
  tree(model: Uint16Array, base: number, bits: number): number {
    let symbol = 1;
    for (let count = bits; count > 0; count--) symbol = (symbol << 1) | this.bit(model, base + symbol);
    return symbol - (1 << bits);
  }

  /** The same, the lowest first. */
  reverseTree(model: Uint16Array, base: number, bits: number): number {
    let symbol = 1;
    let number = 0;
    for (let count = 0; count < bits; count++) {
      const bit = this.bit(model, base + symbol);
      symbol = (symbol << 1) | bit;
      number |= bit << count;
    }
    return number;
  }

  /** Bits of which nothing can be learnt. */
  direct(bits: number): number {
    let number = 0;
    for (let count = bits; count > 0; count--) {
      this.range >>>= 1;
      const bit = (this.code ^ sign) < (this.range ^ sign) ? 0 : 1;
      if (bit === 1) this.code = (this.code - this.range) | 0;
      if (this.range >>> 24 === 0) this.#fill();
      number = (number << 1) | bit;
    }
    return number;
  }

  #fill(): void {
    this.range <<= 8;
    // Beyond the end there are zeros; whoever asked finds out by `isExhausted`.
    this.code = (this.code << 8) | (this.stream[this.at] ?? 0);
    this.at += 1;
  }
}
