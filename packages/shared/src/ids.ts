import { accepted, type Parsed, refused } from './parsed.ts';

/** A range of integers that 64 bits can hold. Values are bigints: a JavaScript number rounds them. */
export interface Integer64Range {
  readonly name: string;
  readonly min: bigint;
  readonly max: bigint;
}

/** The game's own multiplayer ids: random, signed, and therefore often negative or beyond 2^53. */
export const int64Range: Integer64Range = { name: 'signed 64-bit', min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** Platform accounts, network accounts and lobbies. */
export const uint64Range: Integer64Range = { name: 'unsigned 64-bit', min: 0n, max: 2n ** 64n - 1n };

// Longer than any 64-bit integer with generous leading zeros; BigInt takes quadratic time on long texts.
const longestText = 40;
const digits = /^-?[0-9]+$/;

/**
 * Digits alone, with a minus sign where the range has negative values: no plus, space, exponent, hexadecimal or
 * Unicode digit. Leading zeros are read and not kept.
 */
export function parseInteger64(text: string, range: Integer64Range): Parsed<bigint> {
  if (text === '') return refused('is empty');
  if (text.length > longestText) return refused(`is longer than ${longestText} characters`);
  if (!digits.test(text)) return refused(`is not a decimal integer`);
  if (range.min === 0n && text.startsWith('-')) return refused('is negative');
  const value = BigInt(text);
  if (!inRange(value, range))
    return refused(`is outside the ${range.name} range ${range.min} to ${range.max}`);
  return accepted(value);
}

export function parseInt64(text: string): Parsed<bigint> {
  return parseInteger64(text, int64Range);
}

export function parseUint64(text: string): Parsed<bigint> {
  return parseInteger64(text, uint64Range);
}

export function inRange(value: bigint, range: Integer64Range): boolean {
  return value >= range.min && value <= range.max;
}

/** Every id that the primary platform gives to a person's account; they are the ones that begin with 7656. */
export const platformAccountRange: Integer64Range = {
  name: 'platform account',
  min: 76561197960265728n,
  max: 76561202255233023n,
};

/** The id space an identity belongs to, told from its digits alone, as an operator's rebind needs it. */
export function identitySpace(id: bigint): 'platform' | 'network' {
  return inRange(id, platformAccountRange) ? 'platform' : 'network';
}
