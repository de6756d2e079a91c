import { probabilityBits, type RangeState } from './range-decoder.ts';

const shift = 5;
/** Makes of a step towards 0 one towards 2048, rounded as every decoder rounds it. */
const upwards = (1 << shift) - 1 - (1 << probabilityBits);
/** A range that has no more than these is filled up. */
const fullBits = 24;
/** More than the eight bits of a byte can take from the stream: each takes one byte at most. */
export const mostBytesALiteral = 8;

/**
 * The eight bits of a byte, the highest first, while the stream has `mostBytesALiteral` more. What cannot be compressed consists of
 * nothing else, and half of all guesses about its bits are wrong: so nothing here branches on one, everything is kept in local
 * variables, and the bits stand one after the other. As a loop it takes half as long again.
 */
export function literalBits(state: RangeState, models: Uint16Array, base: number): number {
  const { stream } = state;
  let { at, range, code } = state;
  let symbol = 1;
  let model = 0;
  let bound = 0;
  // All ones for a bit that is 0, and 0 for one that is 1.
  let zero = 0;

  model = models[base + symbol] as number;
  bound = Math.imul(range >>> probabilityBits, model);
  zero = isBelow(code, bound);
  range = (bound & zero) | ((range - bound) & ~zero);
  code = (code - (bound & ~zero)) | 0;
  models[base + symbol] = learnt(model, zero);
  symbol = (symbol << 1) + 1 + zero;
  if (range >>> fullBits === 0) {
    range <<= 8;
    code = (code << 8) | (stream[at] as number);
    at += 1;
  }

  model = models[base + symbol] as number;
  bound = Math.imul(range >>> probabilityBits, model);
  zero = isBelow(code, bound);
  range = (bound & zero) | ((range - bound) & ~zero);
  code = (code - (bound & ~zero)) | 0;
  models[base + symbol] = learnt(model, zero);
  symbol = (symbol << 1) + 1 + zero;
  if (range >>> fullBits === 0) {
    range <<= 8;
    code = (code << 8) | (stream[at] as number);
    at += 1;
  }

  model = models[base + symbol] as number;
  bound = Math.imul(range >>> probabilityBits, model);
  zero = isBelow(code, bound);
  range = (bound & zero) | ((range - bound) & ~zero);
  code = (code - (bound & ~zero)) | 0;
  models[base + symbol] = learnt(model, zero);
  symbol = (symbol << 1) + 1 + zero;
  if (range >>> fullBits === 0) {
    range <<= 8;
    code = (code << 8) | (stream[at] as number);
    at += 1;
  }

  model = models[base + symbol] as number;
  bound = Math.imul(range >>> probabilityBits, model);
  zero = isBelow(code, bound);
  range = (bound & zero) | ((range - bound) & ~zero);
  code = (code - (bound & ~zero)) | 0;
  models[base + symbol] = learnt(model, zero);
  symbol = (symbol << 1) + 1 + zero;
  if (range >>> fullBits === 0) {
    range <<= 8;
    code = (code << 8) | (stream[at] as number);
    at += 1;
  }

  model = models[base + symbol] as number;
  bound = Math.imul(range >>> probabilityBits, model);
  zero = isBelow(code, bound);
  range = (bound & zero) | ((range - bound) & ~zero);
  code = (code - (bound & ~zero)) | 0;
  models[base + symbol] = learnt(model, zero);
  symbol = (symbol << 1) + 1 + zero;
  if (range >>> fullBits === 0) {
    range <<= 8;
    code = (code << 8) | (stream[at] as number);
    at += 1;
  }

  model = models[base + symbol] as number;
  bound = Math.imul(range >>> probabilityBits, model);
  zero = isBelow(code, bound);
  range = (bound & zero) | ((range - bound) & ~zero);
  code = (code - (bound & ~zero)) | 0;
  models[base + symbol] = learnt(model, zero);
  symbol = (symbol << 1) + 1 + zero;
  if (range >>> fullBits === 0) {
    range <<= 8;
    code = (code << 8) | (stream[at] as number);
    at += 1;
  }

  model = models[base + symbol] as number;
  bound = Math.imul(range >>> probabilityBits, model);
  zero = isBelow(code, bound);
  range = (bound & zero) | ((range - bound) & ~zero);
  code = (code - (bound & ~zero)) | 0;
  models[base + symbol] = learnt(model, zero);
  symbol = (symbol << 1) + 1 + zero;
  if (range >>> fullBits === 0) {
    range <<= 8;
    code = (code << 8) | (stream[at] as number);
    at += 1;
  }

  model = models[base + symbol] as number;
  bound = Math.imul(range >>> probabilityBits, model);
  zero = isBelow(code, bound);
  range = (bound & zero) | ((range - bound) & ~zero);
  code = (code - (bound & ~zero)) | 0;
  models[base + symbol] = learnt(model, zero);
  symbol = (symbol << 1) + 1 + zero;
  if (range >>> fullBits === 0) {
    range <<= 8;
    code = (code << 8) | (stream[at] as number);
    at += 1;
  }

  state.at = at;
  state.range = range;
  state.code = code;
  return symbol & 0xff;
}

/** The borrow of an unsigned subtraction, in every bit. */
function isBelow(one: number, other: number): number {
  return ((~one & other) | ((~one | other) & (one - other))) >> 31;
}

/** For a 0 nearer to 2048, for a 1 nearer to 0, by a 32nd of the way. */
function learnt(model: number, zero: number): number {
  return model - ((model + (zero & upwards)) >> shift);
}
