import type { Clock } from '@steward/service-kit/clock';
import { inTime } from '@steward/service-kit/text/amounts';
import { Problem } from '@steward/shared/problems/problem';
import { capital } from '@steward/shared/text';
import { comesToPass, type Follow } from '../game/awaited.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import { gameUnavailable } from '../game/game-unavailable.ts';
import { isConnected, isSaving } from '../game/state/bridge-state.ts';

/** A farm on which nobody plays saves as seldom as that, or never. */
export const nextSaveMs = 24 * 3_600_000;

export interface SaveWatchParts {
  readonly bridge: Pick<GameBridge, 'state' | 'follow' | 'events'>;
  readonly clock: Pick<Clock, 'after'>;
}

/** When the game saves, as far as there is one that tells. */
export class SaveWatch {
  readonly #parts: SaveWatchParts;

  #isWaitedFor = false;

  constructor(parts: SaveWatchParts) {
    this.#parts = parts;
  }

  /** Which farm the game has, and how often it has saved it, where there is one that tells. */
  get farm(): { readonly farmId: string; readonly saveGeneration: number } | undefined {
    const { link, sections } = this.#parts.bridge.state;
    return isConnected(link.status) ? (sections.farm ?? undefined) : undefined;
  }

  /** Resolves when no save is under way. A night that takes longer than `ms` is not waited for: the files tell whether it writes. */
  async calm(ms: number, signal: AbortSignal): Promise<void> {
    const { bridge, clock } = this.#parts;
    const follow: Follow = (changed) => bridge.follow(changed);
    await comesToPass(() => !isSaving(bridge.state), ms, { clock, follow, signal });
  }

  /** Aborted as soon as a save begins that had not, or one has been written. */
  begun(): { readonly signal: AbortSignal } & Disposable {
    const { bridge } = this.#parts;
    const began = new AbortController();
    const wasSaving = isSaving(bridge.state);
    const generation = this.farm?.saveGeneration;
    const unfollow = bridge.follow((state) => {
      const isOther = this.farm?.saveGeneration !== generation && this.farm !== undefined;
      if (isOther || (isSaving(state) && !wasSaving)) began.abort();
    });
    const unheard = bridge.events.follow(({ event: { type } }) => {
      if (type === 'farm.dayEnded' || type === 'farm.saved') began.abort();
    });
    return {
      signal: began.signal,
      [Symbol.dispose]() {
        unfollow();
        unheard();
      },
    };
  }

  /** Resolves once the game has saved, or to false where it has not for too long; throws the Problem that says why nobody waits for that. */
  async next(waits: () => void, signal: AbortSignal): Promise<boolean> {
    const { bridge, clock } = this.#parts;
    signal.throwIfAborted();
    const { selfHosted } = bridge.state;
    if (selfHosted !== undefined)
      throw new Problem(
        'not-supported-by-game',
        `${capital(selfHosted.name)} does not report when the game saves: leave out fresh to copy the last save`,
      );
    if (this.farm === undefined)
      throw gameUnavailable('No game is connected that could save: leave out fresh to copy the last save');
    if (this.#isWaitedFor)
      throw new Problem('backup-under-way', 'Another backup waits for the next save: wait for that one');
    this.#isWaitedFor = true;
    waits();
    let hasSaved = false;
    const follow: Follow = (changed) =>
      bridge.events.follow(({ event: { type } }) => {
        if (type !== 'farm.saved') return;
        hasSaved = true;
        changed();
      });
    try {
      return await comesToPass(() => hasSaved, nextSaveMs, { clock, follow, signal });
    } finally {
      this.#isWaitedFor = false;
    }
  }
}

export function neverSaved(): Problem {
  return new Problem('backup-failed', `The game has not saved for ${inTime(nextSaveMs)}: nothing was copied`);
}
