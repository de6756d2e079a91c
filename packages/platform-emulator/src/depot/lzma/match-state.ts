/**
 * LZMA's state: what the last few packets were, as one number of twelve. Below 7 the last packet was a
 * literal, and from there on a match.
 */
export const stateCount = 12;
export const firstStateAfterMatch = 7;

export function afterLiteral(state: number): number {
  if (state < 4) return 0;
  return state < 10 ? state - 3 : state - 6;
}

export function afterMatch(state: number): number {
  return state < firstStateAfterMatch ? 7 : 10;
}

export function afterRepeat(state: number): number {
  return state < firstStateAfterMatch ? 8 : 11;
}

export function afterShortRepeat(state: number): number {
  return state < firstStateAfterMatch ? 9 : 11;
}
