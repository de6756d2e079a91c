/** How a game ticked over some time, and how soon it came to what was asked of it. */
export interface TickPace {
  /** Absent where there was too little to count. */
  readonly perSecond?: number;
  /** The longest that there was no tick, the one that is still awaited included. Absent where ticks are not heard one by one. */
  readonly longestGapMs?: number;
  /** The longest that something asked of the game waited for it. Absent where nothing was asked. */
  readonly bridgeLatencyMs?: number;
}

interface Heard {
  readonly count: number;
  readonly at: number;
}

/** Counts a game's ticks, and its delays, between two times of being asked. All times are a clock's `now`. */
export class TickMeter {
  readonly #slowMs: number;
  #from: Heard | undefined;
  #last: Heard | undefined;
  #longestGapMs = 0;
  #bridgeLatencyMs: number | undefined;

  /** Without a tick for so long the game stands still; before, the next one is on its way. */
  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  heard(count: number, at: number): void {
    const heard = { count, at };
    if (this.#last === undefined || count < this.#last.count) {
      this.#from = heard;
      this.#last = heard;
    } else if (count > this.#last.count) {
      this.#longestGapMs = Math.max(this.#longestGapMs, at - this.#last.at);
      this.#last = heard;
    }
  }

  /** The game has come to what was asked of it so long ago, or nobody waits for that any more. */
  cameTo(afterMs: number): void {
    this.#bridgeLatencyMs = Math.max(this.#bridgeLatencyMs ?? 0, afterMs);
  }

  /** How the game has ticked since this was last asked; undefined before the first tick. */
  take(now: number): TickPace | undefined {
    const from = this.#from;
    const last = this.#last;
    if (from === undefined || last === undefined) return undefined;
    const silentMs = now - last.at;
    const longestGapMs = Math.max(this.#longestGapMs, silentMs);
    // A game tells its ticks once a second: up to the last one the count is exact, up to now it is not.
    const until = silentMs < this.#slowMs ? last.at : now;
    this.#from = { count: last.count, at: until };
    this.#longestGapMs = 0;
    const latency = this.#bridgeLatencyMs === undefined ? {} : { bridgeLatencyMs: this.#bridgeLatencyMs };
    this.#bridgeLatencyMs = undefined;
    if (until <= from.at) return { longestGapMs, ...latency };
    const perSecond = ((last.count - from.count) * 1_000) / (until - from.at);
    return { longestGapMs, perSecond, ...latency };
  }
}
