/** In the place of what is gone: between its neighbours anything may be missing. */
export const gap = 'gap';

/**
 * What is wrong with the numbers that somebody was told, of those that were said: each once, in order, and all of them. What is
 * missing is so only where a gap is told between its neighbours.
 */
export function wrongsOf(
  who: string,
  told: readonly (number | typeof gap)[],
  said: readonly number[],
): readonly string[] {
  const numbers = told.filter((each) => each !== gap);
  const disorder = numbers.flatMap((number, index) =>
    index > 0 && number <= (numbers[index - 1] ?? 0)
      ? [`${who} was told ${number} behind ${numbers[index - 1]}: twice, or out of order`]
      : [],
  );
  const known = new Set(numbers);
  const missing = said.filter((number) => !known.has(number) && !isBetween(told, number));
  return [...disorder, ...missing.map((number) => `${who} was never told ${number}`)];
}

/** Whether a gap is told between the last that is less and the first that is more. */
function isBetween(told: readonly (number | typeof gap)[], number: number): boolean {
  const after = told.findIndex((each) => each !== gap && each > number);
  const upTo = after < 0 ? told : told.slice(0, after);
  return upTo.slice(upTo.findLastIndex((each) => each !== gap && each < number) + 1).includes(gap);
}
