const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** No clocks are set back by more, but where a zone has a day twice, which none has had for a hundred years. */
const furthestSetMs = 3 * hourMs;

/** A time as a clock on the wall shows it: in milliseconds, as if it were one of UTC. */
export type WallTime = number;

/** The clocks on the walls of one time zone: which instants they show a time at, and which times they pass over. */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  at(instant: number): WallTime {
    const parts = new Map(this.#format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name));
    const seconds = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return seconds + (((instant % 1_000) + 1_000) % 1_000);
  }

  /** By how much the clocks are set back within a few hours before or after; 0 where they are not. */
  setBackAround(instant: number): number {
    return Math.max(0, this.#offsetAt(instant - furthestSetMs) - this.#offsetAt(instant + furthestSetMs));
  }

  /**
   * When the clocks show this: once, twice where they are set back over it, and where they are set forth over it at the moment when
   * that is done.
   */
  instantsOf(wall: WallTime): readonly [number, ...number[]] {
    const before = this.#offsetAt(wall - dayMs);
    const after = this.#offsetAt(wall + dayMs);
    const first = wall - before;
    if (before === after) return [first];
    const second = wall - after;
    const shown = [first, second].filter((instant) => this.at(instant) === wall);
    const [one, other] = shown.toSorted((a, b) => a - b);
    if (one === undefined) return [this.#whenSet(Math.min(first, second), Math.max(first, second), after)];
    return other === undefined ? [one] : [one, other];
  }

  #offsetAt(instant: number): number {
    return this.at(instant) - instant;
  }

  /** The first moment behind `from` that has this offset, which `to` has. */
  #whenSet(from: number, to: number, offset: number): number {
    let [without, having] = [from, to];
    while (having - without > 1) {
      const middle = Math.floor((without + having) / 2);
      if (this.#offsetAt(middle) === offset) having = middle;
      else without = middle;
    }
    return having;
  }
}
