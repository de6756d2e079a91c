import { memoryUsage } from 'node:process';
import type { Stats } from '../bridge/state-of-farm.ts';

// A machine that was asleep must not play a whole night at once.
const longestStepMs = 1_000;
// The mean covers the last second of a farm that keeps its pace.
const ticksInMean = 60;

/** What can happen to the loop itself: it hangs while the socket lives on, or the whole program stands still. */
export const stalls = ['stuck-tick', 'freeze'] as const;

export type Stall = (typeof stalls)[number];

export interface TickerParts {
  readonly tps: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** One run of the farm's loop, for the time that has passed. */
  readonly onTick: (elapsedMs: number) => void;
}

/** The farm's loop: it turns real time into the farm's. Stalled, it does not run at all. */
export class Ticker {
  readonly #parts: TickerParts;
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #last = 0;
  #due = 0;
  #stalled = false;
  #running = false;

  constructor(parts: TickerParts) {
    this.#parts = parts;
    this.#periodMs = 1000 / parts.tps;
  }

  start(): void {
    this.#running = true;
    this.#last = this.#parts.now();
    this.#due = this.#last;
    this.#wait();
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  /** Time that passes while the loop is stalled is lost, as it is for a game that hangs. */
  stall(stalled: boolean): void {
    this.#stalled = stalled;
    this.#last = this.#parts.now();
  }

  /** Timers know whole milliseconds; waiting for a point in time keeps the mean where it belongs. */
  #wait(): void {
    const now = this.#parts.now();
    this.#due = Math.max(this.#due + this.#periodMs, now);
    this.#timer = setTimeout(() => this.#tick(), this.#due - now);
  }

  #tick(): void {
    if (!this.#stalled) {
      const now = this.#parts.now();
      const elapsed = Math.min(now - this.#last, longestStepMs);
      this.#last = now;
      this.#parts.onTick(elapsed);
    }
    if (this.#running) this.#wait();
  }
}

/** Ends by itself: whoever has frozen a program cannot ask it for anything. */
export class Stalls {
  readonly #onChange: (stall: Stall, on: boolean) => void;
  readonly #timers = new Map<Stall, NodeJS.Timeout>();

  constructor(onChange: (stall: Stall, on: boolean) => void) {
    this.#onChange = onChange;
  }

  get any(): boolean {
    return this.#timers.size > 0;
  }

  start(stall: Stall, milliseconds: number): void {
    clearTimeout(this.#timers.get(stall));
    this.#timers.set(
      stall,
      setTimeout(() => this.end(stall), milliseconds),
    );
    this.#onChange(stall, true);
  }

  end(stall: Stall): void {
    clearTimeout(this.#timers.get(stall));
    if (this.#timers.delete(stall)) this.#onChange(stall, false);
  }

  endAll(): void {
    for (const stall of stalls) this.end(stall);
  }
}

/** How the farm's loop fares: how often it runs and what a run costs. */
export class LoopMeter {
  readonly #targetTps: number;
  readonly #now: () => number;
  readonly #started: number;
  readonly #costs: number[] = [];
  readonly #times: number[] = [];
  #ticks = 0;

  constructor(targetTps: number, now: () => number) {
    this.#targetTps = targetTps;
    this.#now = now;
    this.#started = now();
  }

  get ticks(): number {
    return this.#ticks;
  }

  ticked(costMs: number): void {
    this.#ticks += 1;
    keep(this.#costs, costMs);
    keep(this.#times, this.#now());
  }

  stats(fps: number, pendingActions: number): Stats {
    return {
      fps,
      tps: oneDecimal(this.#tps()),
      targetTps: this.#targetTps,
      avgTickMs: Math.round(mean(this.#costs) * 100) / 100,
      memoryMb: oneDecimal(memoryUsage().heapUsed / 2 ** 20),
      // The farm runs on a machine whose garbage collector has no generations to count.
      gcGen0: 0,
      gcGen1: 0,
      gcGen2: 0,
      pendingActions,
      gameThreadWaitMs: 0,
      uptimeSeconds: Math.floor((this.#now() - this.#started) / 1000),
    };
  }

  #tps(): number {
    const first = this.#times[0];
    const last = this.#times.at(-1);
    if (first === undefined || last === undefined || last === first) return 0;
    return ((this.#times.length - 1) * 1000) / (last - first);
  }
}

function keep(values: number[], value: number): void {
  values.push(value);
  if (values.length > ticksInMean) values.shift();
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
