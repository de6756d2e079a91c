import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { GameBridge } from '../game/game-bridge.ts';

/** A game that could not clear a stamp, as while it saves, is asked again after this time. */
const againMs = 10_000;

interface Parts {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Has the game take a stamp off a slot: what it says counts no more. A game that cannot do that keeps it. */
export class StampClearing {
  readonly #parts: Parts;
  readonly #bridge: Pick<GameBridge, 'state' | 'run'>;
  readonly #askedAt = new Map<string, number>();

  constructor(parts: Parts, bridge: Pick<GameBridge, 'state' | 'run'>) {
    this.#parts = parts;
    this.#bridge = bridge;
  }

  clear(farmhandId: string): void {
    const now = this.#parts.clock.now();
    const askedAt = this.#askedAt.get(farmhandId);
    if (askedAt !== undefined && now - askedAt < againMs) return;
    if (this.#bridge.state.game?.capabilities.includes('clearStamp') !== true) return;
    this.#askedAt.set(farmhandId, now);
    void this.#clear(farmhandId);
  }

  async #clear(farmhandId: string): Promise<void> {
    const result = await this.#bridge.run({ name: 'clearStamp', params: { farmhandId } });
    const state = result.kind === 'operation' ? result.operation.state : result.kind;
    if (state === 'applied') this.#askedAt.delete(farmhandId);
    else this.#parts.log.debug({ farmhandId, state }, 'the game has not cleared a stamp');
  }
}
