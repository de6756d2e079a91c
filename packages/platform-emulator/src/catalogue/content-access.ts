import { createHmac } from 'node:crypto';
import type { CdnHost } from '../cdn/cdn.ts';
import { demandsToken } from '../cdn/cdn-host-plan.ts';
import { type CmHandler, exchange } from '../cm/cm-message.ts';
import { type ServiceMethod, serviceMethod } from '../services/service-method.ts';
import { eresult, messageNumbers } from '../wire/numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import { type Catalogue, publicBranch } from './catalogue.ts';

/** 5438 -> 5439, in steammessages_clientserver_2.proto; AccessDenied for a depot of an app that the account does not own. */
export function depotKeyHandler(catalogue: Catalogue): CmHandler {
  return exchange<
    { app_id: number; depot_id: number },
    { depot_id: number; eresult: number; depot_encryption_key?: Buffer }
  >({
    request: {
      message: messageNumbers.ClientGetDepotDecryptionKey,
      type: messageType('CMsgClientGetDepotDecryptionKey'),
    },
    response: {
      message: messageNumbers.ClientGetDepotDecryptionKeyResponse,
      type: messageType('CMsgClientGetDepotDecryptionKeyResponse'),
    },
    answer({ app_id, depot_id = 0 }, { account }) {
      const depot = catalogue.depotFor(account, app_id, depot_id);
      if (depot === undefined) return { depot_id, eresult: eresult.accessDenied };
      return { depot_id, eresult: eresult.ok, depot_encryption_key: depot.key };
    },
    failure: ({ depot_id = 0 }, failed) => ({ depot_id, eresult: failed }),
  });
}

/** Codes rotate this often, and everyone who asks in one window gets the same. */
const codeWindowMs = 5 * 60_000;

/** The codes without which no content server gives a manifest away. */
export class ManifestRequestCodes {
  readonly #secret: Buffer;
  readonly #now: () => number;

  constructor(secret: Buffer, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  current(depotId: number, manifestId: string): string {
    return this.#code(depotId, manifestId, this.#window());
  }

  /** A code of the window before is still taken: it may have been asked for in its last second. */
  isValid(depotId: number, manifestId: string, code: string): boolean {
    const window = this.#window();
    return [window, window - 1].some((each) => this.#code(depotId, manifestId, each) === code);
  }

  #window(): number {
    return Math.floor(this.#now() / codeWindowMs);
  }

  #code(depotId: number, manifestId: string, window: number): string {
    const digest = createHmac('sha256', this.#secret).update(`${depotId}/${manifestId}/${window}`).digest();
    return String((digest.readBigUInt64LE() >> 1n) | 1n);
  }
}

/** CContentServerDirectory_GetManifestRequestCode_*, in steammessages_contentsystem.steamclient.proto. */
export function manifestRequestCodeMethod(catalogue: Catalogue, codes: ManifestRequestCodes): ServiceMethod {
  return serviceMethod(
    'ContentServerDirectory.GetManifestRequestCode',
    messageType<{ app_id: number; depot_id: number; manifest_id: string; app_branch: string }>(
      'CContentServerDirectory_GetManifestRequestCode_Request',
    ),
    messageType<{ manifest_request_code: string }>('CContentServerDirectory_GetManifestRequestCode_Response'),
    ({ app_id = 0, depot_id = 0, manifest_id = '0', app_branch = publicBranch }, { account }) => {
      if (account === undefined || catalogue.depotFor(account, app_id, depot_id) === undefined) {
        return { eresult: eresult.accessDenied };
      }
      // Code 0 is how the platform says that this manifest is not to be had.
      const known = catalogue.hasManifest(app_id, depot_id, manifest_id, app_branch);
      return { body: { manifest_request_code: known ? codes.current(depot_id, manifest_id) : '0' } };
    },
  );
}

const hostTokenLifetimeMs = 24 * 60 * 60_000;

/** Tokens for the content servers that demand one: a query string, good for one depot on one host. */
export class CdnTokens {
  readonly #secret: Buffer;
  readonly #now: () => number;

  constructor(secret: Buffer, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  issue(depotId: number, host: string): { token: string; expiresAtSeconds: number } {
    const expiresAtSeconds = Math.floor((this.#now() + hostTokenLifetimeMs) / 1000);
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
