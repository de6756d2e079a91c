/** The moment that Discord's ids count from. */
const epochMs = 1_420_070_400_000;
const timeShift = 22n;

/** Makes ids as Discord does: the time in milliseconds, and what tells apart those of one millisecond; later is bigger. */
export class Snowflakes {
  readonly #date: () => Date;
  #last = 0n;

  constructor(date: () => Date) {
    this.#date = date;
  }

  next(): string {
    const first = BigInt(this.#date().getTime() - epochMs) << timeShift;
    // A clock that was set back, or a crowded millisecond, makes no id that is smaller than the last.
    this.#last = first > this.#last ? first : this.#last + 1n;
    return String(this.#last);
  }
}

export function timeOf(id: string): Date {
  return new Date(Number(BigInt(id) >> timeShift) + epochMs);
}

/** As a number: text of other lengths would sort wrongly. */
export function isLater(one: string, other: string): boolean {
  return BigInt(one) > BigInt(other);
}
