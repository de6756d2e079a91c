import { parseConnectionId } from '@steward/shared/connection-id';
import type { Random } from '../time/random.ts';
import { accountOf } from './account.ts';
import type { Client, ClientKind } from './client.ts';
import { directIpClient } from './direct-ip-client.ts';
import { Player, type PlayerParts } from './player.ts';
import { stockClient } from './stock-client.ts';
import { testClient } from './test-client.ts';

export interface CompanyParts extends Omit<PlayerParts, 'account' | 'client' | 'random'> {
  readonly random: Random;
}

const clients: Record<ClientKind, Client> = {
  stock: stockClient,
  test: testClient,
  'direct-ip': directIpClient,
};

/** Everybody who has ever been heard of on this farm, by name. */
export class Company {
  readonly #parts: CompanyParts;
  readonly #players = new Map<string, Player>();

  constructor(parts: CompanyParts) {
    this.#parts = parts;
  }

  get all(): readonly Player[] {
    return [...this.#players.values()];
  }

  find(name: string): Player | undefined {
    return this.#players.get(name);
  }

  /** The person of that name; whoever is away comes with this client next. */
  player(name: string, kind: ClientKind): Player {
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
