import { bearerToken } from '@steward/service-kit/http/bearer';
import type { Logger } from '@steward/service-kit/log/logger';
import { type AttemptLimit, Attempts } from './attempts.ts';

/** Wrong keys from one address. The right key is let through however many others were tried from there. */
const wrongKeyLimit: AttemptLimit = { attempts: 10, windowMs: 60_000 };

/** The key, and who had it wrong how often: one count for both doors, requests and `/ws`. */
export class KeyGuard {
  readonly isKey: (given: string) => boolean;
  readonly #wrong: Attempts;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(isKey: (given: string) => boolean, now: () => number, log: Pick<Logger, 'warn'>) {
    this.isKey = isKey;
    this.#wrong = new Attempts(wrongKeyLimit, now);
    this.#log = log;
  }

  /** Counts a wrong key. Beyond the limit it answers for how many seconds there is no use in another. */
  wrong(client: string): number | undefined {
    if (this.#wrong.made(client) === 0)
      this.#log.warn({ client }, `a wrong API key came from ${client}; this is said once a minute`);
    return this.#wrong.count(client);
  }

  /**
   * For how many seconds a WebSocket is refused, whose key would come only after the upgrade: none may try that has used
   * up its attempts. The header lets the right key in nevertheless.
   */
  refuses(client: string, authorization: string | undefined): number | undefined {
    const waitSeconds = this.#wrong.spent(client);
    if (waitSeconds === undefined) return undefined;
    const given = bearerToken(authorization);
    if (given === undefined) return waitSeconds;
    return this.isKey(given) ? undefined : (this.wrong(client) ?? waitSeconds);
  }
}
