import type { Clock, Timer } from '@steward/service-kit/clock';
import { wrongKeyAction } from '@steward/shared/api/endpoints/audit';

const minuteMs = 60_000;

/** So many floods are told apart; what else comes at the same time is one line a minute for each action. */
const mostApart = 50;

/** Who asks, and from where. */
export interface Who {
  readonly actor: string;
  readonly keyId?: string | undefined;
  readonly address?: string | undefined;
}

/** Who was kept from what. */
export interface Refused extends Who {
  readonly action: string;
  readonly says: string;
}

interface Flood {
  /** How many came since its last line. */
  more: number;
  readonly tell: () => void;
  timer: Timer;
}

type Tell = (refused: Refused, count: number) => void;

/**
 * Wrong keys, and keys that are not good for what they were tried on. The first of its kind is told at once; those that follow within a
 * minute are counted, and are one line at its end.
 */
export class Refusals {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #tell: Tell;
  readonly #floods = new Map<string, Flood>();

  constructor(clock: Pick<Clock, 'after'>, tell: Tell) {
    this.#clock = clock;
    this.#tell = tell;
  }

  wrongKey(address: string): void {
    this.came({ actor: 'nobody', address, action: wrongKeyAction, says: 'wrong key' });
  }

  came(refused: Refused): void {
    const own = idOf(refused);
    const isApart = this.#floods.has(own) || this.#floods.size < mostApart;
    const { action, says } = refused;
    const told = isApart ? refused : { actor: 'several', action, says };
    const id = isApart ? own : idOf(told);
    const known = this.#floods.get(id);
    if (known === undefined) this.#begin(id, told);
    else known.more += 1;
  }

  /** What is counted and not told yet is told. */
  close(): void {
    for (const { timer, tell } of this.#floods.values()) {
      timer.cancel();
      tell();
    }
    this.#floods.clear();
  }

  #begin(id: string, told: Refused): void {
    this.#tell(told, 1);
    const tell = () => {
      if (flood.more > 0) this.#tell(told, flood.more);
    };
    const flood: Flood = { more: 0, tell, timer: this.#minute(id) };
    this.#floods.set(id, flood);
  }

  #minute(id: string): Timer {
    return this.#clock.after(minuteMs, () => {
      const flood = this.#floods.get(id);
      if (flood === undefined) return;
      flood.tell();
      // It is over with a minute in which nothing came.
      if (flood.more === 0) this.#floods.delete(id);
      else {
        flood.more = 0;
        flood.timer = this.#minute(id);
      }
    });
  }
}

function idOf({ actor, keyId, address, action }: Refused): string {
  return JSON.stringify([actor, keyId, address, action]);
}
