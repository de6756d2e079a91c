import { uint64Range } from './ids.ts';
import { accepted, type Parsed, refused } from './parsed.ts';

/** `G` leads through the cross-platform network, `S` through the primary platform's relay; the body is the same. */
export const inviteCodePrefixes = ['G', 'S'] as const;

export type InviteCodePrefix = (typeof inviteCodePrefixes)[number];

export interface InviteCode {
  readonly prefix: InviteCodePrefix;
  /** The network lobby's raw id, which is all that joining needs. */
  readonly lobbyId: bigint;
}

const base = 36;
// The largest raw id, 2^64 - 1, has this many digits in base 36.
const longestBody = 13;
const body = /^[0-9a-z]+$/;

export function inviteCode(prefix: InviteCodePrefix, lobbyId: bigint): string {
  return `${prefix}${lobbyId.toString(base).toUpperCase()}`;
}

/** Reads a code as people hand it on: in any case, with spaces around it. */
export function parseInviteCode(text: string): Parsed<InviteCode> {
  const code = text.trim();
  const prefix = inviteCodePrefixes.find(
    (prefix) => code.startsWith(prefix) || code.startsWith(prefix.toLowerCase()),
  );
  if (prefix === undefined) return refused('does not begin with G or S');
  const digits = code.slice(prefix.length).toLowerCase();
  if (digits === '') return refused('has nothing after its first letter');
  if (!body.test(digits)) return refused('has characters other than letters and digits');
  if (digits.length > longestBody) return refused(`is longer than ${prefix.length + longestBody} characters`);
  const lobbyId = [...digits].reduce((id, digit) => id * BigInt(base) + BigInt(parseInt(digit, base)), 0n);
  if (lobbyId > uint64Range.max) return refused('contains no 64-bit lobby id');
  return accepted({ prefix, lobbyId });
}
