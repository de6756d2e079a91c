/**
 * Where the last of the newest is not known yet, what is between them is not either: the list begins again. What is not among the
 * newest is gone, or older.
 */
export function joined<Row>(
  newest: readonly Row[],
  known: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  const last = newest.at(-1);
  const at = last === undefined ? -1 : known.findIndex((row) => idOf(row) === idOf(last));
  return at < 0 ? newest : [...newest, ...known.slice(at + 1)];
}
