import type { networksSection } from '@steward/shared/bridge/state';
import type { z } from 'zod';
import type { Random } from '../time/random.ts';

export type NetworksState = z.infer<typeof networksSection>;

// The id space of anonymous game servers: universe 1, account type 4, then 32 bits of the session's own.
const anonymousGameServers = 90071992547409920n;
const firstPort = 27015;

/** The platform's relay, entered through the game-server door: no account, an id that lives as long as the logon. */
export class PlatformRelay {
  readonly #random: Random;
  #gameServerId = 0n;
  #lastPort = firstPort;

  constructor(random: Random) {
    this.#random = random;
    this.logOn();
  }

  get gameServerId(): bigint {
    return this.#gameServerId;
  }

  /** Anonymous: every logon is given another id. */
  logOn(): void {
    this.#gameServerId = anonymousGameServers + (this.#random.bits64() >> 32n);
  }

  /** A user session dials in, and the relay vouches for its account. */
  connect(account: bigint): string {
    this.#lastPort += 1;
    return `SN_${account}_${this.#lastPort}`;
  }
}

/** The port that the real game listens on. */
const gamePort = 24642;

/** Whoever knows the address may dial it; nobody vouches for anyone. */
export class DirectIp {
  readonly #random: Random;
  open = false;

  constructor(random: Random) {
    this.#random = random;
  }

  get state(): NetworksState['directIp'] {
    return this.open
      ? { listening: true, port: gamePort }
      : { listening: false, why: 'AllowIpConnections is false in the settings' };
  }

  /** Another id for every session. */
  connect(): string {
    return `L_${this.#random.bits64().toString(16).padStart(16, '0')}`;
  }
}
