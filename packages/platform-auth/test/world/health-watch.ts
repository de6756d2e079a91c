import { Agent, get } from 'node:http';
import type { MachinePace } from '@steward/testing/machine-pace';

const everyMs = 10;
/** Where a timer comes so late, the machine stood still; where it is less late, the machine is slow, as its pace tells. */
const standsStillMs = 100;

/** Asks /health all the time and keeps how long each answer took. */
export class HealthWatch implements AsyncDisposable {
  readonly latenciesMs: number[] = [];
  /** As long as they would have been on a machine that is not slow. */
  readonly #fairMs: number[] = [];
  /** When the timer is to come next. */
  #due = performance.now() + everyMs;
  #stoodMs = 0;
  /** What stands still here is the machine: a sidecar that does keeps no timer of this process waiting. */
  readonly #timer = setInterval(() => {
    this.#stoodMs = this.#stoodStillMs();
    this.#due = performance.now() + everyMs;
  }, everyMs);
  readonly #pace: MachinePace;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #origin: string | undefined;
  #stopped = false;
  readonly #watching = this.#watch();

  constructor(pace: MachinePace) {
    this.#pace = pace;
  }

  /** Where to ask; nowhere while there is no process. */
  at(origin: string | undefined): void {
    this.#origin = origin;
  }

  percentile(share: number): number {
    const sorted = this.latenciesMs.toSorted((one, other) => one - other);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }

  /** The part of the waiting that was for answers within the limit, from 0 to 1. One long stall is one answer, but a long wait. */
  shareOfTimeWithin(limitMs: number): number {
    const sum = (list: readonly number[]): number => list.reduce((total, ms) => total + ms, 0);
    return sum(this.#fairMs.filter((ms) => ms <= limitMs)) / sum(this.#fairMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#watching;
    clearInterval(this.#timer);
    this.#agent.destroy();
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      const origin = this.#origin;
      const began = performance.now();
      const stoodBefore = this.#stoodStillMs();
      const answered = origin !== undefined && (await this.#ask(origin));
      if (answered && origin === this.#origin) {
        const ms = performance.now() - began;
        this.latenciesMs.push(ms);
        const stoodMs = this.#stoodStillMs() - stoodBefore;
        this.#fairMs.push(Math.max(0, ms - stoodMs) / this.#pace.slowness);
      }
      await new Promise<void>((resume) => setTimeout(() => resume(), everyMs));
    }
  }

  /** For how long the machine has stood still so far: the answer may come before the timer that is late. */
  #stoodStillMs(): number {
    const lateMs = performance.now() - this.#due;
    return this.#stoodMs + (lateMs > standsStillMs ? lateMs : 0);
  }

  #ask(origin: string): Promise<boolean> {
    return new Promise((resolve) => {
      get(`${origin}/health`, { agent: this.#agent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode === 200));
        answer.on('error', () => resolve(false));
      }).on('error', () => resolve(false));
    });
  }
}
