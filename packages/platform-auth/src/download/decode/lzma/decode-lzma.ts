import { DecodeError } from '../decode-error.ts';
import { DistanceDecoder } from './distance-decoder.ts';
import { LengthDecoder } from './length-decoder.ts';
import { LiteralDecoder } from './literal-decoder.ts';
import { probabilities, RangeDecoder } from './range-decoder.ts';

const stateCount = 12;
const firstStateAfterMatch = 7;
const mostPositionStates = 16;
/** Where 9 contexts, 5 position bits for literals and 5 for matches end. */
const propertyCount = 9 * 5 * 5;
/** More would want megabytes of models; no encoder of the platform's uses them. */
const mostLiteralBits = 4;

/** Bare LZMA of a known size, without an end mark. The output is the dictionary, so nothing is ever copied out of one. */
export function decodeLzma(properties: Uint8Array, stream: Uint8Array, bytes: number): Uint8Array {
  const packed = properties[0] ?? propertyCount;
  const contextBits = packed % 9;
  const positionBits = Math.floor(packed / 9) % 5;
  if (packed >= propertyCount || contextBits + positionBits > mostLiteralBits)
    throw new DecodeError('has LZMA properties that nobody uses');
  const literals = new LiteralDecoder(contextBits, positionBits);
  return decode(
    new RangeDecoder(stream),
    literals,
    (1 << Math.floor(packed / 45)) - 1,
    new Uint8Array(bytes),
  );
}

function decode(
  range: RangeDecoder,
  literals: LiteralDecoder,
  positionMask: number,
  out: Uint8Array,
): Uint8Array {
  const isMatch = probabilities(stateCount * mostPositionStates);
  const isRepeat = probabilities(stateCount);
  const isRepeatAfterFirst = probabilities(stateCount);
  const isRepeatAfterSecond = probabilities(stateCount);
  const isRepeatFourth = probabilities(stateCount);
  const isLongRepeat = probabilities(stateCount * mostPositionStates);
  const matchLengths = new LengthDecoder();
  const repeatLengths = new LengthDecoder();
  const distances = new DistanceDecoder();
  let state = 0;
  let at = 0;
  // The four last distances, counted from zero, the latest first.
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;

  while (at < out.length) {
    if (range.isExhausted) throw new DecodeError('ends too early');
    const position = at & positionMask;
    const context = state * mostPositionStates + position;
    if (range.bit(isMatch, context) === 0) {
      const before = at === 0 ? 0 : (out[at - 1] as number);
      out[at] =
        state < firstStateAfterMatch
          ? literals.decode(range, at, before)
          : literals.decodeAfterMatch(range, at, before, out[at - first - 1] as number);
      at += 1;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length: number;
    if (range.bit(isRepeat, state) === 0) {
      fourth = third;
      third = second;
      second = first;
      length = matchLengths.decode(range, position);
      first = distances.decode(range, length);
      state = state < firstStateAfterMatch ? 7 : 10;
    } else if (isShortRepeat(state, context)) {
      length = 1;
      state = state < firstStateAfterMatch ? 9 : 11;
    } else {
      length = repeatLengths.decode(range, position);
      state = state < firstStateAfterMatch ? 8 : 11;
    }
    if (first >= at) throw new DecodeError('points back to before its beginning');
    const end = at + length;
    if (end > out.length) throw new DecodeError('holds more than it should');
    // Byte by byte, since a match may reach into what it is writing.
    for (let from = at - first - 1; at < end; at++, from++) out[at] = out[from] as number;
  }
  if (range.isExhausted) throw new DecodeError('ends too early');
  return out;

  /** Takes the bits that say which of the last distances comes again, and puts it first. */
  function isShortRepeat(state: number, context: number): boolean {
    if (range.bit(isRepeatAfterFirst, state) === 0) return range.bit(isLongRepeat, context) === 0;
    let distance = second;
    if (range.bit(isRepeatAfterSecond, state) === 1) {
      distance = third;
      if (range.bit(isRepeatFourth, state) === 1) {
        distance = fourth;
        fourth = third;
      }
      third = second;
    }
    second = first;
    first = distance;
    return false;
  }
}
