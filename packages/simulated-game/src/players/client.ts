import type { Parsed } from '@steward/shared/parsed';
import type { CrossPlatformNetwork } from '../networks/cross-platform-network.ts';
import type { DirectIp } from '../networks/direct-ip.ts';
import type { Hosting } from '../networks/hosting.ts';
import type { PlatformRelay } from '../networks/platform-relay.ts';
import type { Account } from './account.ts';
import type { Door } from './door.ts';

/** All that lies between a player's machine and the farm. */
export interface Wires {
  readonly network: CrossPlatformNetwork;
  readonly relay: PlatformRelay;
  readonly directIp: DirectIp;
  readonly hosting: Hosting;
  /** The platform's own work for a player who owns the game: an encrypted app ticket. */
  readonly issueTicket: (account: bigint) => Buffer;
}

/** A line to the farm. */
export interface Line {
  readonly connectionId: string;
  /** What the client will declare about itself: always in network-id space, and nothing over direct IP. */
  readonly declaredStamp: string | undefined;
}

/** A kind of game client. `dial` says in plain words why there is no line. */
export interface Client {
  readonly kind: ClientKind;
  dial(account: Account, door: Door, wires: Wires): Parsed<Line>;
}

export const clientKinds = ['stock', 'test', 'direct-ip'] as const;

export type ClientKind = (typeof clientKinds)[number];
