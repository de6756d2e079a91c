import { MatchFinder } from './match-finder.ts';
import {
  DistanceEncoder,
  LengthEncoder,
  LiteralEncoder,
  longestMatch,
  shortestMatch,
} from './packet-encoders.ts';
import { freshProbabilities, RangeEncoder } from './range-encoder.ts';

/**
 * LZMA's state: what the last few packets were, as one number of twelve. Below 7 the last packet was a
 * literal, and from there on a match.
 */
const stateCount = 12;
const firstStateAfterMatch = 7;

function afterLiteral(state: number): number {
  if (state < 4) return 0;
  return state < 10 ? state - 3 : state - 6;
}

function afterMatch(state: number): number {
  return state < firstStateAfterMatch ? 7 : 10;
}

function afterRepeat(state: number): number {
  return state < firstStateAfterMatch ? 8 : 11;
}

function afterShortRepeat(state: number): number {
  return state < firstStateAfterMatch ? 9 : 11;
}

const positionMask = 3;
const positionStates = positionMask + 1;
const repeats = 4;
// An ordinary match must be this much longer than one at a repeated distance, whose code is far shorter.
const repeatAdvantage = 3;

/** lc 3, lp 0, pb 2 and a dictionary of 8 MiB, as in real chunks. */
export const lzmaProperties = Buffer.from([0x5d, 0x00, 0x00, 0x80, 0x00]);

/**
 * The bare LZMA stream, greedy and without an end marker: decoders that know the size refuse one (docs/platform-emulator.md, wire: chunks).
 * Repeated distances and single-byte repeats are used too, so that a decoder meets every kind of packet.
 */
export function encodeLzma(source: Buffer): Buffer {
  return new LzmaEncoder(source).encode();
}

class LzmaEncoder {
  readonly #source: Buffer;
  readonly #range: RangeEncoder;
  readonly #finder: MatchFinder;
  readonly #literals = new LiteralEncoder();
  readonly #distances = new DistanceEncoder();
  readonly #matchLengths = new LengthEncoder();
  readonly #repeatLengths = new LengthEncoder();
  readonly #isMatch = freshProbabilities(stateCount * positionStates);
  readonly #isRepeat = freshProbabilities(stateCount);
  readonly #isRepeatAfterFirst = freshProbabilities(stateCount);
  readonly #isRepeatAfterSecond = freshProbabilities(stateCount);
  readonly #isRepeatFourth = freshProbabilities(stateCount);
  readonly #isLongRepeat = freshProbabilities(stateCount * positionStates);
  // The four last distances, counted from zero, the latest first.
  readonly #recent = [0, 0, 0, 0];
  #state = 0;
  #position = 0;

  constructor(source: Buffer) {
    this.#source = source;
    this.#range = new RangeEncoder(source.length + (source.length >>> 3) + 64);
    this.#finder = new MatchFinder(source, longestMatch);
  }

  encode(): Buffer {
    while (this.#position < this.#source.length) this.#packet();
    return this.#range.finish();
  }

  #packet(): void {
    const finder = this.#finder;
    finder.find(this.#position);
    let longest = 0;
    let which = 0;
    for (let index = 0; index < repeats; index++) {
      const start = this.#position - (this.#recent[index] ?? 0) - 1;
      if (start < 0 || this.#source[start] !== this.#source[this.#position]) continue;
      const length = finder.common(start, this.#position);
      if (length > longest) {
        longest = length;
        which = index;
      }
    }
    if (longest >= shortestMatch && longest + repeatAdvantage > finder.length) this.#repeat(which, longest);
    else if (finder.length > 0) this.#match(this.#position - finder.start - 1, finder.length);
    else if (this.#expected() === this.#source[this.#position]) this.#shortRepeat();
    else this.#literal();
  }

  #literal(): void {
    const byte = this.#source[this.#position] ?? 0;
    const before = this.#position === 0 ? 0 : (this.#source[this.#position - 1] ?? 0);
    this.#kind(0);
    if (this.#state < firstStateAfterMatch) this.#literals.encode(this.#range, byte, before);
    else this.#literals.encodeAfterMatch(this.#range, byte, before, this.#expected() ?? 0);
    this.#state = afterLiteral(this.#state);
    this.#position++;
  }

  #match(distance: number, length: number): void {
    this.#kind(1);
    this.#range.bit(this.#isRepeat, this.#state, 0);
    this.#matchLengths.encode(this.#range, length, this.#position & positionMask);
    this.#distances.encode(this.#range, distance, length);
    this.#remember(distance, repeats - 1);
    this.#state = afterMatch(this.#state);
    this.#advance(length);
  }

  #repeat(which: number, length: number): void {
    this.#kind(1);
    this.#range.bit(this.#isRepeat, this.#state, 1);
    this.#range.bit(this.#isRepeatAfterFirst, this.#state, which === 0 ? 0 : 1);
    if (which === 0) this.#range.bit(this.#isLongRepeat, this.#contextOfPosition(), 1);
    else this.#range.bit(this.#isRepeatAfterSecond, this.#state, which === 1 ? 0 : 1);
    if (which > 1) this.#range.bit(this.#isRepeatFourth, this.#state, which - 2);
    this.#repeatLengths.encode(this.#range, length, this.#position & positionMask);
    this.#remember(this.#recent[which] ?? 0, which);
    this.#state = afterRepeat(this.#state);
    this.#advance(length);
  }

  #shortRepeat(): void {
    this.#kind(1);
    this.#range.bit(this.#isRepeat, this.#state, 1);
    this.#range.bit(this.#isRepeatAfterFirst, this.#state, 0);
    this.#range.bit(this.#isLongRepeat, this.#contextOfPosition(), 0);
    this.#state = afterShortRepeat(this.#state);
    this.#position++;
  }

  #kind(match: 0 | 1): void {
    this.#range.bit(this.#isMatch, this.#contextOfPosition(), match);
  }

  #contextOfPosition(): number {
    return this.#state * positionStates + (this.#position & positionMask);
  }

  /** The byte at the latest distance; none at the very beginning. */
  #expected(): number | undefined {
    return this.#source[this.#position - (this.#recent[0] ?? 0) - 1];
  }

  /** Puts a distance first; those before `place` move back by one. */
  #remember(distance: number, place: number): void {
    this.#recent.copyWithin(1, 0, place);
    this.#recent[0] = distance;
  }

  #advance(length: number): void {
    this.#finder.skip(this.#position, length);
    this.#position += length;
  }
}
