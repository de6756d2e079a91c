/** By which way somebody listens. */
export const doors = ['ws', 'stream', 'poll'] as const;

export type Door = (typeof doors)[number];

/** Which of the limits leaves no room. */
export type SeatLimit = 'connections' | 'connections-per-address';

export interface SeatLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
}

/** What whoever finds no room is told to wait. */
export const fullSeconds = 5;

/** How many listen at once, by whichever door: each takes a seat, and gives it back. */
export class Seats {
  readonly taken: Record<Door, number> = { ws: 0, stream: 0, poll: 0 };
  readonly refused: Record<Door, Record<SeatLimit, number>> = {
    ws: { connections: 0, 'connections-per-address': 0 },
    stream: { connections: 0, 'connections-per-address': 0 },
    poll: { connections: 0, 'connections-per-address': 0 },
  };
  readonly #limits: SeatLimits;
  readonly #byAddress = new Map<string, number>();
  #taken = 0;

  constructor(limits: SeatLimits) {
    this.#limits = limits;
  }

  /** What gives the seat back, or which limit leaves none. */
  take(door: Door, address: string): (() => void) | SeatLimit {
    return this.refuse(door, address) ?? this.sit(door, address);
  }

  /** Counts one who finds no room, for whoever has to know before there is anything to sit on. */
  refuse(door: Door, address: string): SeatLimit | undefined {
    const limit = this.#full(address);
    if (limit !== undefined) this.refused[door][limit] += 1;
    return limit;
  }

  /** Takes a seat for one who was not refused; returns what gives it back, which may be called again. */
  sit(door: Door, address: string): () => void {
    this.#count(door, address, 1);
    let sits = true;
    return () => {
      if (sits) this.#count(door, address, -1);
      sits = false;
    };
  }

  #count(door: Door, address: string, one: 1 | -1): void {
    this.taken[door] += one;
    this.#taken += one;
    const here = (this.#byAddress.get(address) ?? 0) + one;
    if (here > 0) this.#byAddress.set(address, here);
    else this.#byAddress.delete(address);
  }

  #full(address: string): SeatLimit | undefined {
    if (this.#taken >= this.#limits.connections) return 'connections';
    const here = this.#byAddress.get(address) ?? 0;
    return here >= this.#limits.connectionsPerAddress ? 'connections-per-address' : undefined;
  }
}
