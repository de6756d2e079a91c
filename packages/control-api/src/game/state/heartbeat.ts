import type { Clock, Timer } from '@steward/service-kit/clock';
import type { BridgeLimits } from './limits.ts';
import type { Pace } from './pace-news.ts';
import { TickMeter, type TickPace } from './tick-meter.ts';

/** Listens to a game's ticks. Only a growing count is a sign of life. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #limits: Pick<BridgeLimits, 'slowMs' | 'frozenMs'>;
  readonly #changed: (pace: Pace, why: string) => void;
  readonly #meter: TickMeter;
  #count = -1;
  #at: number;
  #pace: Pace = 'live';
  #timer: Timer | undefined;

  constructor(
    clock: Clock,
    limits: Pick<BridgeLimits, 'slowMs' | 'frozenMs'>,
    changed: (pace: Pace, why: string) => void,
  ) {
    this.#clock = clock;
    this.#limits = limits;
    this.#changed = changed;
    this.#meter = new TickMeter(limits.slowMs);
    this.#at = clock.now();
    this.#watch();
  }

  /** Ticks that the game has counted; undefined before the first. */
  get count(): number | undefined {
    return this.#count < 0 ? undefined : this.#count;
  }

  /** Milliseconds since the last sign of life. */
  get age(): number {
    return this.#clock.now() - this.#at;
  }

  tick(count: number): void {
    if (count <= this.#count) return;
    this.#count = count;
    this.#at = this.#clock.now();
    this.#meter.heard(count, this.#at);
    this.#become('live', 'the game ticks again');
    this.#watch();
  }

  /** The game has come to a command that was sent then, or nobody waits for that any more. */
  cameTo(sentAt: number): void {
    this.#meter.cameTo(this.#clock.now() - sentAt);
  }

  /** How the game has ticked since this was last asked. */
  takePace(): TickPace | undefined {
    return this.#meter.take(this.#clock.now());
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #watch(): void {
    const { slowMs, frozenMs } = this.#limits;
    this.#timer?.cancel();
    this.#timer = this.#clock.after(slowMs, () => {
      this.#become('slow', `no tick for ${slowMs} ms`);
      this.#timer = this.#clock.after(frozenMs - slowMs, () =>
        this.#become('frozen', `no tick for ${frozenMs} ms; the connection is open`),
      );
    });
  }

  #become(pace: Pace, why: string): void {
    if (pace === this.#pace) return;
    this.#pace = pace;
    this.#changed(pace, why);
  }
}
