import { memoryUsage } from 'node:process';
import type { Stats } from '../bridge/state-of-farm.ts';

// The mean covers the last second of a farm that keeps its pace.
const ticksInMean = 60;

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
