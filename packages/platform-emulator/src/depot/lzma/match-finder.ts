// Four bytes are the shortest match looked for; shorter ones are found only at a repeated distance.
const hashedLength = 4;
const hashBits = 16;
const none = -1;
// Inside a match only every third position is remembered: a little ratio for much speed.
const strideInMatch = 3;

/** Finds earlier occurrences through a table of the last position at which each hash was seen. */
export class MatchFinder {
  /** The last match found: where it begins, and how long it is (0: none). */
  start = none;
  length = 0;
  readonly #source: Buffer;
  readonly #longest: number;
  readonly #last = new Int32Array(1 << hashBits).fill(none);

  constructor(source: Buffer, longest: number) {
    this.#source = source;
    this.#longest = longest;
  }

  find(position: number): void {
    this.length = 0;
    if (position + hashedLength > this.#source.length) return;
    const hash = this.#hash(position);
    this.start = this.#last[hash] ?? none;
    this.#last[hash] = position;
    if (this.start === none) return;
    const length = this.common(this.start, position);
    if (length >= hashedLength) this.length = length;
  }

  /** How many bytes at `earlier` repeat at `position`. */
  common(earlier: number, position: number): number {
    const source = this.#source;
    const limit = Math.min(this.#longest, source.length - position);
    let length = 0;
    while (length < limit && source[earlier + length] === source[position + length]) length++;
    return length;
  }

  /** Remembers the positions inside a match that was taken. */
  skip(position: number, length: number): void {
    const end = Math.min(position + length, this.#source.length - hashedLength + 1);
    for (let inside = position + 1; inside < end; inside += strideInMatch)
      this.#last[this.#hash(inside)] = inside;
  }

  #hash(at: number): number {
    const word = this.#source.readUInt32LE(at);
    return Math.imul(word, 0x9e3779b1) >>> (32 - hashBits);
  }
}
