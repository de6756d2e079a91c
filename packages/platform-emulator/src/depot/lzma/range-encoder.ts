// Probabilities have 11 bits and move by a 32nd of the way at each bit seen.
const probabilityBits = 11;
const half = 1 << (probabilityBits - 1);
const whole = 1 << probabilityBits;
const adaptation = 5;
const top = 1 << 24;
const carry = 2 ** 32;

export function freshProbabilities(length: number): Uint16Array {
  return new Uint16Array(length).fill(half);
}

/** LZMA's binary arithmetic coder: each bit narrows `range`, and what is settled of `low` goes out as bytes. */
export class RangeEncoder {
  #out: Buffer;
  #length = 0;
  #low = 0;
  #range = 0xffffffff;
  // The last byte is held back, with the 0xff bytes behind it, for as long as a carry may still change it.
  #held = 0;
  #heldLength = 1;

  constructor(sizeHint: number) {
    this.#out = Buffer.allocUnsafe(sizeHint);
  }

  bit(probabilities: Uint16Array, index: number, bit: number): void {
    const probability = probabilities[index] ?? half;
    const bound = (this.#range >>> probabilityBits) * probability;
    if (bit === 0) {
      this.#range = bound;
      probabilities[index] = probability + ((whole - probability) >>> adaptation);
    } else {
      this.#low += bound;
      this.#range = (this.#range - bound) >>> 0;
      probabilities[index] = probability - (probability >>> adaptation);
    }
    while (this.#range < top) this.#shift();
  }

  /** The highest bit first, each under the probability that the bits before it lead to. */
  tree(probabilities: Uint16Array, base: number, bits: number, value: number): void {
    let node = 1;
    for (let position = bits - 1; position >= 0; position--) {
      const bit = (value >>> position) & 1;
      this.bit(probabilities, base + node, bit);
      node = (node << 1) | bit;
    }
  }

  /** The lowest bit first. */
  reverseTree(probabilities: Uint16Array, base: number, bits: number, value: number): void {
    let node = 1;
    for (let position = 0; position < bits; position++) {
      const bit = (value >>> position) & 1;
      this.bit(probabilities, base + node, bit);
      node = (node << 1) | bit;
    }
  }

  /** Bits for which no probability is kept: those of a far distance are as good as random. */
  direct(value: number, bits: number): void {
    for (let position = bits - 1; position >= 0; position--) {
      this.#range >>>= 1;
      if (((value >>> position) & 1) === 1) this.#low += this.#range;
      while (this.#range < top) this.#shift();
    }
  }

  finish(): Buffer {
    for (let byte = 0; byte < 5; byte++) this.#push();
    return this.#out.subarray(0, this.#length);
  }

  #shift(): void {
    this.#range = (this.#range << 8) >>> 0;
    this.#push();
  }

  #push(): void {
    const carried = this.#low >= carry;
    if (carried || this.#low < 0xff000000) {
      let byte = this.#held + (carried ? 1 : 0);
      while (this.#heldLength > 0) {
        this.#write(byte & 0xff);
        byte = 0xff + (carried ? 1 : 0);
        this.#heldLength--;
      }
      this.#held = (this.#low >>> 24) & 0xff;
    }
    this.#heldLength++;
    this.#low = (this.#low & 0x00ffffff) * 256;
  }

  #write(byte: number): void {
    if (this.#length === this.#out.length) {
      this.#out = Buffer.concat([this.#out, Buffer.allocUnsafe(this.#out.length)]);
    }
    this.#out[this.#length++] = byte;
  }
}
