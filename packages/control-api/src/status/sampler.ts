import type { Clock, Timer } from '@steward/service-kit/clock';
import type { GameBridge } from '../game/game-bridge.ts';
import { isCurrent } from '../game/state/bridge-state.ts';
import type { KeptSamples } from '../store/kept/samples.ts';

const minuteMs = 60_000;
const bytesOfMb = 1024 * 1024;
/** Ticks are kept as hundredths of one a second: what is kept is whole. */
const hundredths = 100;
/** A game may say any number; beyond this one nothing is kept exactly. */
const mostKept = 2 ** 31 - 1;

export interface SamplerParts {
  readonly bridge: Pick<GameBridge, 'state' | 'takePace'>;
  readonly samples: Pick<KeptSamples, 'keep'>;
  readonly clock: Clock;
  /** What this process takes. */
  readonly memoryBytes: () => number;
}

/** Writes down how each minute was, when it ends. Nothing is asked of the game: it is what the bridge has heard anyway. */
export class Sampler {
  readonly #parts: SamplerParts;
  #next: Timer | undefined;

  constructor(parts: SamplerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock } = this.#parts;
    // By the time of day anew each time, so that no minute is passed over; a timer may be early by a little, and a clock may be set.
    const now = clock.date().getTime();
    this.#next = clock.after((Math.round(now / minuteMs) + 1) * minuteMs - now, () => {
      this.#take();
      this.start();
    });
  }

  stop(): void {
    this.#next?.cancel();
  }

  #take(): void {
    const { bridge, samples, clock, memoryBytes } = this.#parts;
    const { sections } = bridge.state;
    const isThere = isCurrent(bridge.state);
    const { perSecond, longestGapMs, bridgeLatencyMs } = bridge.takePace() ?? {};
    const gameMb = isThere ? sections.stats?.memoryMb : undefined;
    samples.keep({
      // The one that has just ended.
      minute: Math.round(clock.date().getTime() / minuteMs) - 1,
      // Of a game that is gone, nobody is online any more.
      players: isThere ? whole(sections.status?.playerCount ?? 0) : 0,
      ticks: perSecond === undefined ? null : whole(perSecond * hundredths),
      tickGapMs: longestGapMs === undefined ? null : whole(longestGapMs),
      bridgeLatencyMs: bridgeLatencyMs === undefined ? null : whole(bridgeLatencyMs),
      serviceMemoryMb: whole(memoryBytes() / bytesOfMb),
      gameMemoryMb: gameMb === undefined ? null : whole(gameMb),
    });
  }
}

function whole(value: number): number {
  return Math.min(Math.max(0, Math.round(value)), mostKept);
}
