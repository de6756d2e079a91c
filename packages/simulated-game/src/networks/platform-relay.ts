import type { Random } from '../time/random.ts';

// The id space of anonymous game servers: universe 1, account type 4, then 32 bits of the session's own.
const anonymousGameServers = 90071992547409920n;
const firstPort = 27015;

/** The platform's relay, entered through the game-server door: no account, an id that lives as long as the process. */
export class PlatformRelay {
  readonly gameServerId: bigint;
  #lastPort = firstPort;

  constructor(random: Random) {
    this.gameServerId = anonymousGameServers + (random.bits64() >> 32n);
  }

  /** A user session dials in; the relay vouches for the account. */
  connect(account: bigint): string {
    this.#lastPort += 1;
    return `SN_${account}_${this.#lastPort}`;
  }
}
