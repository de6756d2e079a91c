import { createHmac } from 'node:crypto';
import type { CdnHost } from '../cdn/cdn-host.ts';
import { demandsToken } from '../cdn/cdn-host-plan.ts';
import { type CmHandler, exchange } from '../cm/cm-message.ts';
import { eresult } from '../wire/eresult.ts';
import { messageNumbers } from '../wire/message-numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import type { Catalogue } from './catalogue.ts';

const lifetimeMs = 24 * 60 * 60_000;

/** Tokens for the content servers that demand one: a query string, good for one depot on one host. */
export class CdnTokens {
  readonly #secret: Buffer;
  readonly #now: () => number;

  constructor(secret: Buffer, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  issue(depotId: number, host: string): { token: string; expiresAtSeconds: number } {
    const expiresAtSeconds = Math.floor((this.#now() + lifetimeMs) / 1000);
    return { token: `?${this.#query(depotId, host, expiresAtSeconds)}`, expiresAtSeconds };
  }

  /** `query` is what follows the question mark of a request. */
  isValid(depotId: number, host: string, query: string): boolean {
    const expires = Number(/^exp=(\d+)~hmac=/.exec(query)?.[1]);
    return expires * 1000 > this.#now() && query === this.#query(depotId, host, expires);
  }

  #query(depotId: number, host: string, expires: number): string {
    const hmac = createHmac('sha256', this.#secret).update(`${depotId}@${host}:${expires}`).digest('hex');
    return `exp=${expires}~hmac=${hmac}`;
  }
}

/** 5546 -> 5547, in steammessages_clientserver_2.proto. There is a token for hosts that want one, and for no others. */
export function cdnTokenHandler(
  catalogue: Catalogue,
  hosts: readonly CdnHost[],
  tokens: CdnTokens,
): CmHandler {
  return exchange<
    { app_id: number; depot_id: number; host_name: string },
    { eresult: number; token?: string; expiration_time?: number }
  >({
    request: {
      message: messageNumbers.ClientGetCDNAuthToken,
      type: messageType('CMsgClientGetCDNAuthToken'),
    },
    response: {
      message: messageNumbers.ClientGetCDNAuthTokenResponse,
      type: messageType('CMsgClientGetCDNAuthTokenResponse'),
    },
    answer({ app_id, depot_id = 0, host_name = '' }, { account }) {
      if (catalogue.depotFor(account, app_id, depot_id) === undefined)
        return { eresult: eresult.accessDenied };
      const plan = hosts.find(({ address }) => address === host_name)?.plan;
      if (plan?.tokens === 'unanswered') return undefined;
      if (plan === undefined || !demandsToken(plan) || plan.tokens === 'refused')
        return { eresult: eresult.fail };
      const { token, expiresAtSeconds } = tokens.issue(depot_id, host_name);
      return { eresult: eresult.ok, token, expiration_time: expiresAtSeconds };
    },
    failure: (_request, failed) => ({ eresult: failed }),
  });
}
