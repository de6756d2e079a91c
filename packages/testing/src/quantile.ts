/** What so large a share of the values lies below, or at; between two of them where none stands just there. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const [low = Number.NaN, high = low] = sorted.slice(Math.floor(at), Math.floor(at) + 2);
  return low + (high - low) * (at % 1);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
