import type { Clock, Timer } from '@steward/service-kit/clock';
import type { BridgeLimits } from './limits.ts';

export type Pace = 'live' | 'slow' | 'frozen';

interface PaceNewsParts {
  readonly clock: Pick<Clock, 'after'>;
  readonly limits: Pick<BridgeLimits, 'steadyMs'>;
  readonly tell: (pace: Pace, why: string) => void;
}

/** Of a game that ticks late again and again there is one thing to tell, until it has ticked in time for a while. */
export class PaceNews {
  readonly #parts: PaceNewsParts;
  #told: Pace = 'live';
  #recovery: Timer | undefined;

  constructor(parts: PaceNewsParts) {
    this.#parts = parts;
  }

  changed(pace: Pace, why: string): void {
    const { clock, limits } = this.#parts;
    this.#recovery?.cancel();
    if (pace === this.#told || (pace === 'slow' && this.#told === 'frozen')) return;
    if (pace === 'live') this.#recovery = clock.after(limits.steadyMs, () => this.#tell(pace, why));
    else this.#tell(pace, why);
  }

  /** The next game has not been late yet. */
  ended(): void {
    this.#recovery?.cancel();
    this.#told = 'live';
  }

  #tell(pace: Pace, why: string): void {
    this.#told = pace;
    this.#parts.tell(pace, why);
  }
}
