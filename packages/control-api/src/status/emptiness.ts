import type { Clock } from '@steward/service-kit/clock';
import { SettledTime } from '@steward/service-kit/settled-time';
import { timestampOf } from '@steward/shared/wire-values';
import type { GameBridge } from '../game/game-bridge.ts';
import { type BridgeState, isCurrent } from '../game/state/bridge-state.ts';
import type { KeptSamples } from '../store/kept/samples.ts';

export interface EmptinessParts {
  readonly bridge: Pick<GameBridge, 'state' | 'follow'>;
  readonly samples: Pick<KeptSamples, 'emptySince' | 'keepEmptySince'>;
  readonly clock: Pick<Clock, 'now' | 'date'>;
  /** Called when somebody is online who was not before. */
  readonly visited: () => void;
}

/**
 * Since when nobody is online. It is kept: a service that starts again goes on from there, if nobody is online then either. Where somebody
 * was when it ended, or nothing is known of before, it counts from when it is first seen. A game that is gone for a while is not known to
 * be empty, and does not end it: a farm that is restarted each night is as empty as before. What a clock said that was wrong as it was seen
 * does not stay once that clock is right.
 */
export class Emptiness {
  readonly #parts: EmptinessParts;
  readonly #settled: SettledTime;
  #since: Date | undefined;
  /** Whether `#since` is of a clock that could not be believed yet. */
  #isDoubtful = false;
  /** What was kept and is yet to come by such a clock; no number where nothing was. */
  #kept = Number.NaN;
  #isKnown = false;
  #hasSeen = false;
  #unfollow = () => {};

  constructor(parts: EmptinessParts) {
    this.#parts = parts;
    this.#settled = new SettledTime(parts.clock);
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
    this.#look();
    return this.#isKnown ? this.#since : undefined;
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
      this.#becomes(clock.date(), true, kept);
    }
    this.#hasSeen = true;
    this.#look();
  }

  #look(): void {
    // Asked each time, as it has to see when the clock is set.
    const steadyFrom = this.#settled.since();
    if (this.#since === undefined) return;
    const since = this.#since.getTime();
    const now = this.#parts.clock.date().getTime();
    if (this.#kept <= now) this.#becomes(new Date(this.#kept));
    // By a clock that was set back, what is yet to come is not since when.
    else if (since > now) this.#becomes(new Date(now), true, this.#kept);
    // Of one that was set forth it was not before that.
    else if (this.#isDoubtful && steadyFrom !== undefined)
      this.#becomes(new Date(Math.max(since, steadyFrom)));
  }

  #becomes(since: Date | undefined, isDoubtful = false, kept = Number.NaN): void {
    this.#since = since;
    this.#isDoubtful = isDoubtful;
    this.#kept = kept;
    // What was kept may yet turn out to be right.
    if (!Number.isNaN(kept)) return;
    this.#parts.samples.keepEmptySince(since === undefined ? '' : timestampOf(since));
  }
}
