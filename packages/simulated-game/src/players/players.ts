import { parseConnectionId } from '@steward/shared/connection-id';
import type { Random } from '../time/random.ts';
import { accountOf, type ClientKind, clients } from './clients.ts';
import { Player, type PlayerParts } from './player.ts';

export interface PlayersParts extends Omit<PlayerParts, 'account' | 'client' | 'random'> {
  readonly random: Random;
}

/** Everybody who has ever been heard of on this farm, by name. */
export class Players {
  readonly #parts: PlayersParts;
  readonly #players = new Map<string, Player>();

  constructor(parts: PlayersParts) {
    this.#parts = parts;
  }

  get all(): readonly Player[] {
    return [...this.#players.values()];
  }

  find(name: string): Player | undefined {
    return this.#players.get(name);
  }

  /** The person of that name; whoever is away comes with this client next. */
  called(name: string, kind: ClientKind): Player {
    const known = this.#players.get(name);
    if (known !== undefined) {
      known.takeClient(clients[kind]);
      return known;
    }
    const random = this.#parts.random.fork(name);
    const player = new Player({ ...this.#parts, random, account: accountOf(name), client: clients[kind] });
    this.#players.set(name, player);
    return player;
  }

  /** Somebody is sent away. */
  sentAway(connectionId: string): void {
    this.all.find((player) => player.connectionId === connectionId)?.connectionLost();
  }

  /** The farm went down under everybody. */
  connectionsLost(): void {
    for (const player of this.all) player.connectionLost();
  }

  /** Whoever came over the network's own transport falls off; the relay and plain addresses go on. */
  networkLost(): void {
    for (const player of this.all) {
      const connection = parseConnectionId(player.connectionId ?? '');
      if (connection.ok && connection.value.path === 'network-p2p') player.leave();
    }
  }
}
