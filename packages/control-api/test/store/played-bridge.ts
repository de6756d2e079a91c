import { emptyFarm } from '@steward/testing/game/empty-farm';
import { seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import type { BridgeState } from '../../src/game/state/bridge-state.ts';
import type { TickPace } from '../../src/game/state/tick-meter.ts';

/** What a sampler sees of a game that comes and goes, ticks as it can, and says whatever it likes. */
export class PlayedBridge {
  readonly #random = seededRandom(seed);
  #state: BridgeState = this.#next();

  get state(): BridgeState {
    return this.#state;
  }

  takePace(): TickPace | undefined {
    const kind = this.#number(3);
    if (kind === 0) return undefined;
    const perSecond = this.#random() * 61;
    const longestGapMs = this.#random() * 5_000;
    return kind === 1 ? { perSecond, bridgeLatencyMs: longestGapMs / 9 } : { perSecond, longestGapMs };
  }

  /** Another minute is another game. */
  play(): void {
    this.#state = this.#next();
  }

  #next(): BridgeState {
    const { status, stats } = emptyFarm();
    const sections = {
      status: { ...status, playerCount: this.#number(5) },
      stats: { ...stats, memoryMb: this.#number(10) === 0 ? Number.MAX_VALUE : this.#random() * 1_500 },
    };
    return {
      link: { status: this.#number(4) === 0 ? 'gone' : 'live', reason: '', since: new Date(0) },
      sections: this.#number(8) === 0 ? {} : sections,
      isWhole: true,
      version: 1,
    };
  }

  #number(below: number): number {
    return Math.floor(this.#random() * below);
  }
}
