import type { Clock } from '@steward/service-kit/clock';
import { timestampOf } from '@steward/shared/wire-values';
import type { GameBridge } from '../game/game-bridge.ts';
import { type BridgeState, isCurrent } from '../game/state/bridge-state.ts';
import type { KeptSamples } from '../store/kept/samples.ts';

export interface EmptinessParts {
  readonly bridge: Pick<GameBridge, 'state' | 'follow'>;
  readonly samples: Pick<KeptSamples, 'emptySince' | 'keepEmptySince'>;
  readonly clock: Pick<Clock, 'date'>;
  /** Called when somebody is online who was not before. */
  readonly visited: () => void;
}

/**
 * Since when nobody is online. It is kept: a service that starts again goes on from there, if nobody is online then either. Where somebody
 * was when it ended, or nothing is known of before, it counts from when it is first seen. A game that is gone for a while is not known to
 * be empty, and does not end it: a farm that is restarted each night is as empty as before.
 */
export class Emptiness {
  readonly #parts: EmptinessParts;
  #since: Date | undefined;
  #isKnown = false;
  #hasSeen = false;
  #unfollow = () => {};

  constructor(parts: EmptinessParts) {
    this.#parts = parts;
  }

  /** To be called when the database is open. */
  start(): void {
    const { bridge } = this.#parts;
    this.#unfollow = bridge.follow((state) => this.#see(state));
    this.#see(bridge.state);
  }

  stop(): void {
    this.#unfollow();
  }

  /** Undefined while somebody is online, and while nobody can tell. The same object until it changes. */
  get since(): Date | undefined {
    if (!this.#isKnown) return undefined;
    const now = this.#parts.clock.date();
    // By a clock that was set back, what is yet to come is not since when.
    if (this.#since !== undefined && this.#since.getTime() > now.getTime()) this.#becomes(now);
    return this.#since;
  }

  /** How long that is; 0 where there is none. */
  get seconds(): number {
    const { since } = this;
    return since === undefined ? 0 : (this.#parts.clock.date().getTime() - since.getTime()) / 1_000;
  }

  #see(state: BridgeState): void {
    this.#isKnown = isCurrent(state);
    if (!this.#isKnown) return;
    const { sections } = state;
    const { samples, clock } = this.#parts;
    const isEmpty = sections.status?.playerCount === 0;
    if (!isEmpty) {
      if (this.#since !== undefined || !this.#hasSeen) {
        this.#becomes(undefined);
        this.#parts.visited();
      }
    } else if (this.#since === undefined) {
      const kept = this.#hasSeen ? Number.NaN : Date.parse(samples.emptySince ?? '');
      const now = clock.date();
      this.#becomes(kept <= now.getTime() ? new Date(kept) : now);
    }
    this.#hasSeen = true;
  }

  #becomes(since: Date | undefined): void {
    this.#since = since;
    this.#parts.samples.keepEmptySince(since === undefined ? '' : timestampOf(since));
  }
}
