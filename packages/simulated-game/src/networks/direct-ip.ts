import type { Random } from '../time/random.ts';
import type { NetworksState } from './hosting.ts';

/** The port that the real game listens on. */
export const gamePort = 24642;

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
